//! An outside agent: a client of the Model Context Protocol that sends its lines to the real program and reads the answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The version of the protocol that it speaks.
const VERSION: &str = "2025-06-18";

/// A connection to a server.
pub struct Agent {
    /// The server, where it was started for this connection.
    child: Option<Child>,
    input: Option<Box<dyn Write + Send>>,
    output: BufReader<Box<dyn Read + Send>>,
    /// All that the server ever said.
    pub heard: String,
    next: u64,
}

impl Agent {
    /// Starts `command`, whose standard input and output are the connection, and opens it.
    pub fn start(command: Command) -> Agent {
        Agent::silent(command).opened()
    }

    /// Opens a connection to a server that reads `input` and writes `output`.
    pub fn over(input: impl Write + Send + 'static, output: impl Read + Send + 'static) -> Agent {
        Agent::of(None, Box::new(input), Box::new(output)).opened()
    }

    fn of(child: Option<Child>, input: Box<dyn Write + Send>, output: Box<dyn Read + Send>) -> Agent {
        Agent { child, input: Some(input), output: BufReader::new(output), heard: String::new(), next: 1 }
    }

    fn opened(mut self) -> Agent {
        let agent = &mut self;
        let hello = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let opened = agent.ask("initialize", &hello);
        assert_eq!(opened["result"]["serverInfo"]["name"], "twicetold", "{opened}");
        agent.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self
    }

    /// Starts the server and says nothing yet.
    pub fn silent(mut command: Command) -> Agent {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = Box::new(child.stdin.take().expect("it is piped"));
        let output = Box::new(child.stdout.take().expect("it is piped"));
        Agent::of(Some(child), input, output)
    }

    /// Sends a line as it is.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the connection is open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the server reads");
    }

    /// The next message of the server.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes text");
        assert!(!line.is_empty(), "the server closed the connection");
        self.heard += &line;
        serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("no protocol on standard output: {error}: {line}"))
    }

    /// Makes a request and gives the answer to it.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        loop {
            let answer = self.receive();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Calls a tool and gives its structured result, which is an object with `error` where it failed.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {answer}"));
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).expect("the text is JSON"), structured);
        assert_eq!(
            result["isError"].as_bool().unwrap_or_default(),
            structured.get("error").is_some(),
            "{answer}"
        );
        structured
    }

    /// The same, and it must not fail.
    pub fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert!(result.get("error").is_none(), "{tool} {arguments}: {result}");
        result
    }

    /// The same, and it must fail with an error of this kind that says what to do.
    pub fn fails(&mut self, tool: &str, arguments: &Value, kind: &str) -> Value {
        let error = self.call(tool, arguments)["error"].clone();
        assert_eq!(error["kind"], kind, "{tool} {arguments}: {error}");
        assert!(error["help"].as_str().is_some_and(|help| !help.is_empty()), "{error}");
        error
    }

    /// Ends the connection: gives what the server still said on standard output and on standard error, and its exit code.
    pub fn leave(mut self) -> (String, String, Option<i32>) {
        drop(self.input.take());
        let (mut rest, mut trouble) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("the server writes text");
        let mut code = None;
        if let Some(child) = &mut self.child {
            if let Some(mut stderr) = child.stderr.take() {
                stderr.read_to_string(&mut trouble).expect("the server writes text");
            }
            code = child.wait().expect("it ends").code();
        }
        (rest, trouble, code)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
