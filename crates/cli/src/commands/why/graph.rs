//! The answers of `why` as diagrams: one node for each step, one edge for each thing that was recorded to lead to another.

use twicetold_session::{Cause, Chain, ToolCallWhy};

use crate::terminal::{safe, short};

/// Characters of a label: a box that can be read.
const LABEL: usize = 60;

/// The syntax of a diagram.
struct Diagram {
    nodes: Vec<(String, String)>,
    edges: Vec<(String, String, &'static str)>,
}

/// In the language of Mermaid.
pub fn mermaid(why: &Chain) -> String {
    let diagram = Diagram::of(why);
    // A label stands in quotation marks; Mermaid knows characters by their numbers.
    let escaped = |label: &str| {
        let plain = |c: char| c.is_alphanumeric() || " .,:;#()-–—'/!?_".contains(c);
        let one = |c: char| if plain(c) { c.to_string() } else { format!("#{};", u32::from(c)) };
        label.replace('#', "№ ").chars().map(one).collect::<String>()
    };
    let node = |(id, label): &(String, String)| format!("  {id}[\"{}\"]\n", escaped(label));
    let edge = |(from, to, what): &(String, String, &str)| format!("  {from} -->|{what}| {to}\n");
    let nodes: String = diagram.nodes.iter().map(node).collect();
    let edges: String = diagram.edges.iter().map(edge).collect();
    format!("flowchart RL\n{nodes}{edges}")
}

/// In the language of Graphviz.
pub fn dot(why: &Chain) -> String {
    let diagram = Diagram::of(why);
    let escaped = |label: &str| label.replace('\\', "\\\\").replace('"', "\\\"");
    let node = |(id, label): &(String, String)| format!("  {id} [label=\"{}\"];\n", escaped(label));
    let edge = |(from, to, what): &(String, String, &str)| format!("  {from} -> {to} [label=\"{what}\"];\n");
    let nodes: String = diagram.nodes.iter().map(node).collect();
    let edges: String = diagram.edges.iter().map(edge).collect();
    format!("digraph why {{\n  rankdir=RL;\n  node [shape=box];\n{nodes}{edges}}}\n")
}

impl Diagram {
    fn of(why: &Chain) -> Diagram {
        let mut diagram = Diagram { nodes: Vec::new(), edges: Vec::new() };
        diagram.add(why);
        diagram
    }

    fn node(&mut self, id: String, label: String) -> String {
        if !self.nodes.iter().any(|(known, _)| *known == id) {
            self.nodes.push((id.clone(), short(&label, LABEL)));
        }
        id
    }

    fn edge(&mut self, from: &str, to: &str, what: &'static str) {
        let edge = (from.to_owned(), to.to_owned(), what);
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }

    /// A node that another one comes of.
    fn led(&mut self, from: &str, id: String, label: String, what: &'static str) -> String {
        let node = self.node(id, label);
        self.edge(from, &node, what);
        node
    }

    fn tool_call(&mut self, from: &str, call: &ToolCallWhy, what: &'static str) -> String {
        let (place, reply) = (call.index + 1, call.reply);
        let label = format!("tool call {place} of #{reply}: {} {}", call.name, call.arguments);
        self.led(from, format!("c{reply}_{}", call.index), label, what)
    }

    fn add(&mut self, why: &Chain) {
        let effect =
            self.node(format!("n{}", why.number), format!("#{} {}: {}", why.number, why.event, why.text));
        let mut asked = match &why.cause {
            Cause::Tool { call, evidence, checks } => {
                for one in evidence.iter().flat_map(|evidence| &evidence.cited) {
                    let label = format!("#{}: {}", one.number, one.text);
                    self.led(&effect, format!("e{}_{}", one.number, one.label), label, "shown by");
                }
                if !checks.is_empty() {
                    let rules: Vec<&str> = checks.iter().map(|(rule, _)| rule.as_str()).collect();
                    let rules = self.node(format!("r{}", why.number), rules.join(", "));
                    self.edge(&effect, &rules, "accepted by");
                }
                self.tool_call(&effect, call, "done by")
            }
            Cause::Rejected { call, rule, observed, .. } => {
                let rejection = self.node(format!("r{}", why.number), format!("{rule}: {observed}"));
                self.edge(&effect, &rejection, "rejected by");
                call.as_ref().map_or(effect.clone(), |call| self.tool_call(&effect, call, "proposed by"))
            }
            Cause::Words { reply, .. } => {
                self.led(&effect, format!("w{reply}"), format!("reply #{reply}"), "text of")
            }
            Cause::Carried { campaign, number } => {
                let label = format!("{campaign:.8} #{number}");
                self.led(&effect, format!("b{campaign:.8}_{number}"), label, "imported from")
            }
            Cause::Rule { input, what } => {
                self.led(&effect, format!("i{input}"), format!("#{input}: {what}"), "decided when")
            }
        };
        if let Some(request) = &why.request {
            let label =
                format!("request #{} to {}, {}", request.number, request.seat, safe(&request.answerer()));
            let node = self.node(format!("q{}", request.number), label);
            self.edge(&asked, &node, "answers");
            for span in &request.spans {
                let label = format!("#{} {}: {}", span.number, span.event, span.text);
                let shown = self.node(format!("n{}", span.number), label);
                self.edge(&node, &shown, "showed");
            }
            asked = node;
        }
        if let Some((number, what)) = why.triggers.last() {
            let opening = self.node(format!("i{number}"), format!("#{number}: {what}"));
            // What came of the opening itself leads there already.
            if asked != opening {
                self.edge(&asked, &opening, "goes back to");
            }
        }
        why.sources.iter().for_each(|source| self.add(source));
    }
}
