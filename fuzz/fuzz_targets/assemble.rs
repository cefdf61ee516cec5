//! Any conversation file that holds together, in any dialect: an error or a request that passes its lint.
#![no_main]
use libfuzzer_sys::fuzz_target;
use weftwork::ask::{Ask, Check, Settings};
use weftwork::dialect::Dialect;
use weftwork::formats::{Format, import};
use weftwork::lint::{Severity, lint};
use weftwork::{History, assemble};

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(imported) = import(rest, Some(Format::Weft), Check::Repair) else { return };
    for conversation in imported.conversations {
        let Ok(history) = History::new(conversation) else { continue };
        let dialect = Dialect::ALL[usize::from(first) % Dialect::ALL.len()];
        let settings = Settings { context_length: Some(u64::from(first) * 40 + 200), ..Settings::default() };
        let ask = Ask { dialect: Some(dialect), settings, ..Ask::default() };
        if let Ok(assembly) = assemble(&history, &ask)
            && let Ok(body) = serde_json::from_slice(&assembly.request)
        {
            let errors: Vec<_> = lint(&body, dialect).into_iter().filter(|finding| finding.severity == Severity::Error).collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
    }
});
