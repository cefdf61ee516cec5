//! Connections: nobody holds one by saying little, and there are only so many.

use crate::house::House;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn connect(house: &House) -> TcpStream {
    let stream = TcpStream::connect(house.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// Asks for something on a connection that stays open; the first line of the answer.
fn asked(stream: &mut TcpStream) -> String {
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let (mut answer, mut piece) = (String::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut piece).unwrap();
        answer.push_str(std::str::from_utf8(&piece[..read]).unwrap());
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
        if read == 0 || body.is_some_and(|body| !body.is_empty() || answer.contains("content-length: 0")) {
            return answer.lines().next().unwrap_or_default().to_owned();
        }
    }
}

const FINE: &str = "HTTP/1.1 200 OK";

/// Says a little again and again, until the connection is closed.
fn trickle(stream: &mut TcpStream, words: &[u8]) -> Duration {
    let began = Instant::now();
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    for word in words.iter().cycle() {
        let sent = stream.write_all(&[*word]);
        match stream.read(&mut [0; 64]) {
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Ok(_) | Err(_) => return began.elapsed(),
        }
        if sent.is_err() || began.elapsed().as_secs() > 20 {
            return began.elapsed();
        }
    }
    unreachable!("the words have no end")
}

#[test]
fn whoever_does_not_come_to_the_end_of_a_head_is_let_go_and_whoever_rests_is_not() {
    let house = House::with("[server]\nhead_seconds = 2\n", &[]);
    let mut resting = connect(&house);
    assert_eq!(asked(&mut resting), FINE);
    // A head without an end; the beginning of HTTP/2 without more; nothing at all.
    let held: [(&[u8], &[u8]); 3] =
        [(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n", b"a: b\r\n"), (b"PRI * HTTP/2", b""), (b"", b"")];
    let trickling = held.map(|(begin, words)| {
        let mut stream = connect(&house);
        stream.write_all(begin).unwrap();
        std::thread::spawn(move || match words {
            [] => {
                let began = Instant::now();
                stream.read(&mut [0; 64]).map_or(Duration::MAX, |_| began.elapsed())
            }
            words => trickle(&mut stream, words),
        })
    });
    for (number, trickling) in trickling.into_iter().enumerate() {
        let took = trickling.join().unwrap();
        assert!((1..10).contains(&took.as_secs()), "{number}: {took:?}");
    }
    // It has rested for longer than a head may take.
    assert_eq!(asked(&mut resting), FINE);
}

#[test]
fn when_there_are_as_many_as_there_may_be_others_are_told_and_come_later() {
    let house = House::with("[server]\nconnections = 2\n", &[]);
    let mut first = connect(&house);
    assert_eq!(asked(&mut first), FINE);
    let _second = connect(&house);
    assert_eq!(asked(&mut connect(&house)), "HTTP/1.1 503 Service Unavailable");
    assert_eq!(asked(&mut first), FINE);
    drop(first);
    let began = Instant::now();
    while asked(&mut connect(&house)) != FINE {
        assert!(began.elapsed().as_secs() < 20, "there is room again");
    }
}
