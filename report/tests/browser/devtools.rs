//! A headless Chromium, driven by the DevTools protocol over a pipe.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// What distributions call the program.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser's program, if there is one.
pub(crate) fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|candidate| candidate.is_file())
}

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last_id: u64,
    /// Everything the page did wrong: exceptions, errors and warnings on the console, dialogs, requests to elsewhere.
    pub(crate) complaints: Vec<String>,
    /// The page just navigated to has been loaded.
    loaded: bool,
    _profile: TempDir,
}

impl Browser {
    /// Starts the browser with an empty profile and a window of this size.
    pub(crate) fn start(program: &Path, width: u32, height: u32) -> Browser {
        let profile = tempfile::tempdir().expect("a scratch folder");
        // The protocol is spoken on descriptors 3 (commands) and 4 (answers).
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let commands = process.stdin.take().expect("piped");
        let mut answers = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while matches!(answers.read_until(0, &mut message), Ok(1..)) {
                let parsed = serde_json::from_slice(message.strip_suffix(&[0]).unwrap_or(&message));
                if parsed.is_ok_and(|value: Value| sender.send(value).is_err()) {
                    break;
                }
                message.clear();
            }
        });
        let complaints = Vec::new();
        let mut browser = Browser {
            process,
            commands,
            messages,
            session: None,
            last_id: 0,
            complaints,
            loaded: false,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser
    }

    /// Opens a file and waits until it has been loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        self.loaded = false;
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.loaded {
            let message = self.receive("Page.loadEventFired");
            self.note(&message);
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Presses a key that has a name but no letter.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key}));
        }
    }

    /// Types text.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Clicks into the middle of what a selector finds.
    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.place(selector, 0.5);
        for kind in ["mousePressed", "mouseReleased"] {
            let parameters = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", parameters);
        }
    }

    /// Draws a finger over what a selector finds, between two parts of its width.
    pub(crate) fn swipe(&mut self, selector: &str, from: f64, to: f64) {
        let (x, y) = self.place(selector, from);
        let (end, _) = self.place(selector, to);
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
        self.call("Input.dispatchTouchEvent", json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}));
        if from.to_bits() != to.to_bits() {
            self.call("Input.dispatchTouchEvent", json!({"type": "touchMove", "touchPoints": [{"x": end, "y": y}]}));
        }
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// The page printed on A4, as text of a PDF file.
    pub(crate) fn print(&mut self) -> Value {
        self.call("Page.printToPDF", json!({"preferCSSPageSize": true}))["data"].clone()
    }

    /// The greatest width and height in millimetres of what a selector finds, laid out for paper with so much room.
    pub(crate) fn size_on_paper(&mut self, selector: &str, millimetres: f64) -> [f64; 2] {
        const PIXEL: f64 = 25.4 / 96.0;
        let room = (millimetres / PIXEL) as u32;
        self.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
        let size = json!({"width": room, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        ["width", "height"].map(|side| {
            let sizes = format!(
                "[...document.querySelectorAll({})].map((found) => found.getBoundingClientRect().{side})",
                json!(selector)
            );
            let greatest = self.eval(&format!("Math.max(...{sizes})"));
            greatest.as_f64().expect("something is found") * PIXEL
        })
    }

    /// A point of what a selector finds, after it was scrolled into view.
    fn place(&mut self, selector: &str, part: f64) -> (f64, f64) {
        let place = self.eval(&format!(
            "(() => {{
                const found = document.querySelector({});
                found.scrollIntoView({{block: 'center', behavior: 'instant'}});
                const box = found.getBoundingClientRect();
                return [box.left + {part} * box.width, box.top + box.height / 2];
            }})()",
            json!(selector)
        ));
        (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
    }

    /// Sends a command and waits for its answer.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let mut line = command.to_string().into_bytes();
        line.push(0);
        self.commands.write_all(&line).expect("the browser listens");
        loop {
            let mut message = self.receive(method);
            if message["id"] == self.last_id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    fn receive(&self, wanted: &str) -> Value {
        self.messages.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{wanted}: the browser is silent: {error}"))
    }

    /// Remembers what happened.
    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown" | "Page.javascriptDialogOpening") => {
                self.complaints.push(params.to_string())
            }
            Some("Runtime.consoleAPICalled") if params["type"] != "log" => self.complaints.push(params.to_string()),
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !["file:", "data:", "about:"].iter().any(|harmless| url.starts_with(harmless)) {
                    self.complaints.push(format!("asks for {url}"));
                }
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends when its pipe is closed; the process must be gone before its profile is.
        let _ = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.process.wait();
    }
}
