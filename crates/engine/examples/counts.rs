//! Counts every text of a file of JSON strings, one a line, by every counter: what `scripts/count_peers.py` compares.

use std::io::{self, BufRead, BufWriter, Write};

use weftwork::count::{Vocabulary, chars4, tokenx};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let (o200k, cl100k) = (Vocabulary::O200k.count(&text), Vocabulary::Cl100k.count(&text));
        writeln!(out, "{o200k} {cl100k} {} {}", tokenx(&text), chars4(&text))?;
    }
    out.flush()
}
