//! Workbooks: what a spreadsheet's own program would write, and what nobody should.

use std::io::Write as _;

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

use super::{Words, import};

/// A table of the ward that uses everything a spreadsheet tempts one to use.
fn ward() -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Ward").unwrap();
    let (day, time) = (Format::new().set_num_format("yyyy-mm-dd"), Format::new().set_num_format("[h]:mm:ss"));
    sheet.write(0, 1, "Agreed on in March").unwrap();
    for (column, text) in ["Ward", "Fever", "Beds", "Waited", "Since", "Private", "Action"].iter().enumerate() {
        sheet.write(2, 1 + column as u16, *text).unwrap();
    }
    sheet.merge_range(3, 1, 4, 1, "north", &Format::new()).unwrap();
    sheet.write(3, 2, ">= 38.5").unwrap();
    sheet.write(3, 3, 2).unwrap();
    sheet.write_with_format(3, 4, ExcelDateTime::from_hms(36, 0, 0).unwrap(), &time).unwrap();
    sheet.write_with_format(3, 5, ExcelDateTime::from_ymd(2026, 3, 1).unwrap(), &day).unwrap();
    sheet.write(3, 6, true).unwrap();
    sheet.write(3, 7, "review senior").unwrap();
    sheet.write(4, 2, "< 38.5").unwrap();
    sheet.write_formula(4, 3, Formula::new("=1+2").set_result("3")).unwrap();
    sheet.write(4, 7, "stop").unwrap();
    sheet.write(6, 1, "south").unwrap();
    sheet.write_formula(6, 2, Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
    sheet.write(6, 7, "stop").unwrap();
    sheet.write(7, 1, "south").unwrap();
    sheet.write(7, 2, 0.1 + 0.2).unwrap();
    sheet.write(7, 7, "review south").unwrap();
    book.save_to_buffer().unwrap()
}

#[test]
fn a_workbook_is_read_as_people_see_it() {
    let got = import("ward.xlsx", &ward()).unwrap();
    let mut shown = got.policy;
    shown += "----\n";
    got.notices.iter().for_each(|notice| shown += &(notice.to_string() + "\n"));
    insta::assert_snapshot!(shown);
}

#[test]
fn sheets_are_chosen_by_name() {
    let mut book = Workbook::new();
    for name in ["One", "Two", "Empty"] {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap();
        if name != "Empty" {
            sheet.write(0, 0, "n").unwrap();
            sheet.write(0, 1, "action").unwrap();
            sheet.write(1, 0, 1).unwrap();
            sheet.write(1, 1, "stop").unwrap();
        }
    }
    let bytes = book.save_to_buffer().unwrap();
    let read = |sheet: Option<&str>| {
        let how = nisi::exchange::Import { file: "b.xlsx", sheet, ..Default::default() };
        nisi::exchange::import(&bytes, &how, &Words::new())
            .map_err(|e| format!("{e} / {}", e.help.as_deref().unwrap_or_default()))
    };
    assert!(read(None).unwrap_err().contains("--sheet`: `One`, `Two`, `Empty`"));
    assert!(read(Some("Two")).unwrap().policy.contains("table Two, first row wins"));
    assert!(read(Some("Three")).unwrap_err().contains("has no sheet `Three`"));
    assert!(read(Some("Empty")).unwrap_err().contains("holds no table"));
}

/// A zip file of some parts.
fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let blanks = vec![b' '; 130 << 20];
    let bomb = zipped(&[("xl/sharedStrings.xml", &blanks)]);
    assert!(bomb.len() < 1 << 20);
    let told = import("a.xlsx", &bomb).unwrap_err();
    assert!(told.to_string().contains("when it is unpacked"), "{told}");
    let told = import("a.xlsx", &zipped(&[("a", b"b")])).unwrap_err();
    assert!(told.to_string().contains("cannot be read as a workbook"), "{told}");
    assert!(import("a.xlsx", b"PK\x03\x04 and nothing more").is_err());
    // A workbook with a password is no zip file.
    assert!(
        import("a.xlsx", &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
            .unwrap_err()
            .help
            .unwrap()
            .contains("password")
    );
}

#[test]
fn a_cell_in_the_far_corner_takes_no_room() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, text) in [(0, "n"), (1, "action")] {
        sheet.write(0, column, text).unwrap();
    }
    sheet.write(1, 0, 1).unwrap();
    sheet.write(1, 1, "stop").unwrap();
    sheet.write(1_048_575, 0, 2).unwrap();
    sheet.write(1_048_575, 1, "review far-away").unwrap();
    let got = import("a.xlsx", &book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(got.n_rows, 2);
    let sheet = book.worksheet_from_index(0).unwrap();
    sheet.write(5, 16_383, "far").unwrap();
    let told = import("a.xlsx", &book.save_to_buffer().unwrap()).unwrap_err();
    assert!(told.to_string().starts_with("XFD6 lies past the 64 columns"), "{told}");
}
