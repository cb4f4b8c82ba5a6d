//! A request as the bytes of an HTTP body, and a body as a reply, per wire protocol.
