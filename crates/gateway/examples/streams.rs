//! What forwarding a streamed reply costs, beside reading the same bytes from a bare socket.
//!
//! A second process of this program is the server. Each token it sends holds the time it was sent, so the numbers are the
//! way of one token from the server's write to the reader's hands: through the provider crate alone, and through a chat that
//! is kept on disk. Then 1,000 chats get their replies at once, and the memory of this process is read. Prints numbers;
//! judges nothing.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use weftwork::{catalogue::Catalogue, decode::Delta, dialect::Dialect};
use weftwork_gateway::tools::{Environment, MemoryPins, Toolbox};
use weftwork_gateway::{self as gateway, Chat, Gateway, How, Live, Open, Say};
use weftwork_provider::{Config, Event, Order, Providers, Sending};
use weftwork_store::{Access, Address, Store};

const ROUNDS: usize = 2_000;
const AT_ONCE: usize = 1_000;
const TOKENS: usize = 50;
/// Chats are kept on disk, which takes its time before a request is sent.
const KEPT: usize = 300;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    match std::env::args().nth(1).as_deref() {
        Some("serve") => runtime.block_on(serve()),
        Some(_) | None => runtime.block_on(measure()),
    }
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos()
}

fn token() -> String {
    let data = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{} "}}}}]}}"#, now());
    let event = format!("data: {data}\n\n");
    format!("{:x}\r\n{event}\r\n", event.len())
}

async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(answer(stream));
    }
}

/// Answers every request of a connection; a path that holds `slow` gets a token every 100 ms.
async fn answer(mut stream: TcpStream) {
    stream.set_nodelay(true).expect("a socket");
    let mut request = Vec::new();
    loop {
        request.clear();
        while !request.ends_with(b"}") {
            if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let pause = if request.windows(4).any(|word| word == b"slow") { 100 } else { 2 };
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        let mut sent = stream.write_all(head.as_bytes()).await;
        for _ in 0..if pause == 2 { 1 } else { TOKENS } {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            sent = stream.write_all(token().as_bytes()).await;
        }
        if sent.is_err() || stream.write_all(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n").await.is_err() {
            return;
        }
    }
}

async fn measure() {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut port).expect("its port");
    let port: u16 = port.trim().parse().expect("a number");
    let bare = bare(port).await;
    let ours = ours(port).await;
    let folder = std::env::temp_dir().join(format!("weft-streams-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let gateway = gateway(port, &folder).await;
    let kept = kept(&gateway).await;
    show("bare socket", &bare);
    show("through the provider crate", &ours);
    show("through a chat", &kept);
    let added = |times: &[u128]| (times[times.len() / 2] as f64 - bare[ROUNDS / 2] as f64) / 1000.0;
    println!("added to the median first token: {:.1} µs by the provider crate, {:.1} µs by a chat", added(&ours), added(&kept));
    together(&gateway).await;
    std::fs::remove_dir_all(folder).expect("the folder goes");
    child.kill().expect("the server ends");
    child.wait().expect("it ended");
}

fn show(name: &str, sorted: &[u128]) {
    let at = |share: f64| sorted[(sorted.len() as f64 * share) as usize] as f64 / 1000.0;
    println!("{name}: first token after {:.1} µs (median), {:.1} µs (99 %), of {} replies", at(0.5), at(0.99), sorted.len());
}

/// The time from a token's sending to its reading, with nothing but a socket.
async fn bare(port: u16) -> Vec<u128> {
    let mut times = Vec::new();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    for _ in 0..ROUNDS {
        stream.write_all(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}").await.expect("sent");
        let mut bytes = Vec::new();
        let mut first = None;
        while !bytes.ends_with(b"0\r\n\r\n") {
            stream.read_buf(&mut bytes).await.expect("bytes");
            let text = String::from_utf8_lossy(&bytes);
            if first.is_none() && text.contains(" \"}") {
                first = sent_at(text.split("content\":\"").nth(1).unwrap_or_default());
            }
        }
        times.extend(first);
    }
    times.sort_unstable();
    times
}

fn sent_at(text: &str) -> Option<u128> {
    let sent: u128 = text.split(' ').next()?.parse().ok()?;
    Some(now().saturating_sub(sent))
}

async fn ours(port: u16) -> Vec<u128> {
    let providers = providers(port);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let mut sending = send(&providers, "fast");
        times.extend(first_token(&mut sending).await);
        sending.finish().await.expect("a reply");
    }
    times.sort_unstable();
    times
}

async fn first_token(sending: &mut Sending) -> Option<u128> {
    loop {
        if let Event::Delta(Delta::Text(text)) = sending.next().await? {
            return sent_at(&text);
        }
    }
}

fn providers(port: u16) -> Providers {
    let text = format!("[providers.here]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:{port}/v1\"");
    Providers::new(&Config::parse(&text).expect("a configuration"), Catalogue::built_in(), |_| None).expect("providers")
}

fn send(providers: &Providers, text: &str) -> Sending {
    let target = providers.resolve("here/m").expect("a model");
    let body = format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#);
    let mut order = Order::new(target, Dialect::OpenAi, body.into_bytes());
    order.input_tokens = Some(1);
    providers.send(order)
}

async fn gateway(port: u16, folder: &std::path::Path) -> Gateway {
    let store = Store::open(&Address::File(folder.join("weft.db")), Access::Write, 0).expect("a store");
    let tools = Toolbox::new(Default::default(), Environment::default(), Arc::new(MemoryPins::default()));
    let time = Arc::new(|| (now() / 1_000_000) as i64);
    Gateway::open(Arc::new(store), Arc::new(providers(port)), tools, "here/m", time).await.expect("a gateway")
}

/// The same through chats that are kept.
async fn kept(gateway: &Gateway) -> Vec<u128> {
    let mut times = Vec::new();
    for _ in 0..KEPT {
        let chat = Chat::open(gateway, Open::default()).await.expect("a chat");
        let (live, mut events) = Live::new();
        let how = How::default();
        let saying = async {
            let said = chat.say(Say::text("fast"), &how, &live).await;
            drop(live);
            said.expect("a reply")
        };
        let watching = async {
            let mut first = None;
            while let Some(event) = events.recv().await {
                if let (None, gateway::Event::Delta { delta: Delta::Text(text), .. }) = (first, event) {
                    first = sent_at(&text);
                }
            }
            first
        };
        times.extend(tokio::join!(saying, watching).1);
    }
    times.sort_unstable();
    times
}

async fn together(gateway: &Gateway) {
    let before = memory("VmRSS");
    let mut chats = Vec::new();
    for _ in 0..AT_ONCE {
        chats.push(Chat::open(gateway, Open::default()).await.expect("a chat"));
    }
    let saying = chats
        .into_iter()
        .map(|chat| tokio::spawn(async move { chat.say(Say::text("slow"), &How::default(), &Live::new().0).await }));
    let saying: Vec<_> = saying.collect();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let during = memory("VmRSS");
    let mut whole = 0;
    for reply in saying {
        whole += usize::from(reply.await.expect("a task").is_ok());
    }
    println!(
        "{AT_ONCE} chats at once, {whole} whole replies: {during} MB resident, {} MB at most ({before} MB before)",
        memory("VmHWM")
    );
}

/// A number of this process in MB, as Linux tells it.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}
