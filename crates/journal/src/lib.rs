//! Append and read entries and blobs: one redb file per campaign.
