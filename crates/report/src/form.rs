//! The forms of what programs read. Every document and every line says its form, the form's version and the campaign that it speaks of,
//! and every form has a schema, made of the very types that are written: by a test, which keeps it as text. A program that made its
//! schemas itself would be larger by a twentieth.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::CampaignId;

/// The form of a document, or of a line.
pub trait Form: Serialize {
    /// What its field `form` says, and what its schema is asked for by.
    const NAME: &'static str;
    /// What it is, in a line.
    const ABOUT: &'static str;
    /// A new number where a field goes, or takes another meaning. A field more is no new version: readers pass over what they do not know.
    const VERSION: u32 = 1;
}

/// Something that speaks of no campaign, or of several.
#[derive(Serialize, JsonSchema)]
pub struct Document<T> {
    /// The name of the form, by which `twicetold schema` knows it.
    form: &'static str,
    /// The version of the form.
    version: u32,
    #[serde(flatten)]
    body: T,
}

/// Something that speaks of one campaign.
#[derive(Serialize, JsonSchema)]
pub struct OfCampaign<T> {
    /// The name of the form, by which `twicetold schema` knows it.
    form: &'static str,
    /// The version of the form.
    version: u32,
    /// The campaign.
    campaign: CampaignId,
    #[serde(flatten)]
    body: T,
}

impl<T: Form> Document<T> {
    /// With its form's name and version.
    pub fn new(body: T) -> Document<T> {
        Document { form: T::NAME, version: T::VERSION, body }
    }
}

impl<T: Form> OfCampaign<T> {
    /// With its form's name and version.
    pub fn new(campaign: CampaignId, body: T) -> OfCampaign<T> {
        OfCampaign { form: T::NAME, version: T::VERSION, campaign, body }
    }
}

/// A form, for whoever lists all of them.
#[derive(Clone, Copy)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

impl Known {
    /// The form of these.
    pub const fn of<T: Form>() -> Known {
        Known { name: T::NAME, about: T::ABOUT }
    }
}

/// Schemas, made of types. Only tests call these.
pub mod schema {
    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema};
    use serde_json::{Value, json};

    use super::{Document, Form, OfCampaign};

    /// That of a form of documents.
    pub fn document<T: Form + JsonSchema>() -> Value {
        within::<Document<T>, T>()
    }

    /// That of a form of what speaks of one campaign.
    pub fn of_campaign<T: Form + JsonSchema>() -> Value {
        within::<OfCampaign<T>, T>()
    }

    /// That of a form that another program prescribes: nothing of ours stands in it.
    pub fn foreign<T: Form + JsonSchema>() -> Value {
        head::<T, T>()
    }

    /// The schema of `W`, which is written, under the name of `T`.
    fn head<W: JsonSchema, T: Form>() -> Value {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema: Schema = generator.into_root_schema_for::<W>();
        schema.insert("$id".into(), format!("urn:twicetold:{}:{}", T::NAME, T::VERSION).into());
        schema.insert("title".into(), T::NAME.into());
        schema.insert("description".into(), T::ABOUT.into());
        schema.into()
    }

    /// The same with the name and the version as the only ones that there are.
    fn within<W: JsonSchema, T: Form>() -> Value {
        let mut schema = head::<W, T>();
        for (field, only) in [("form", json!(T::NAME)), ("version", json!(T::VERSION))] {
            if let Some(property) =
                schema.pointer_mut(&format!("/properties/{field}")).and_then(Value::as_object_mut)
            {
                property.retain(|key, _| key == "description");
                property.insert("const".into(), only);
            }
        }
        schema
    }
}
