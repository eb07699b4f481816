//! How content is recognized.

use chatmd::internal::media::{data_url, file_type, image_type, is_animated_gif};

fn gif(frames: usize, with_colors: bool) -> Vec<u8> {
    let (flags, colors): (u8, &[u8]) = if with_colors { (0x80, &[0x2c; 6]) } else { (0, &[]) };
    let mut bytes = b"GIF89a\x01\0\x01\0".to_vec();
    bytes.extend([flags, 0, 0]);
    bytes.extend(colors);
    bytes.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0");
    for _ in 0..frames {
        bytes.extend(b"\x21\xf9\x04\0\x2c\x2c\0\0");
        bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, flags]);
        bytes.extend(colors);
        bytes.extend([2, 2, 0x2c, 0x2c, 0]);
    }
    bytes.push(0x3b);
    bytes
}

#[test]
fn images_by_their_first_bytes() {
    for (bytes, expected) in [
        (&b"\x89PNG\r\n\x1a\n..."[..], Some("image/png")),
        (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
        (b"GIF87a", Some("image/gif")),
        (b"GIF89a", Some("image/gif")),
        (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
        (b"RIFF\0\0\0\0WAVEfmt ", None),
        (b"\x89PNG", None),
        (b"GIF88a", None),
        (b"<svg/>", None),
        (b"", None),
    ] {
        assert_eq!(image_type(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn gif_frames_are_distinguished_from_bytes_that_look_like_them() {
    for with_colors in [false, true] {
        assert!(!is_animated_gif(&gif(0, with_colors)));
        assert!(!is_animated_gif(&gif(1, with_colors)));
        assert!(is_animated_gif(&gif(2, with_colors)));
        assert!(is_animated_gif(&gif(9, with_colors)));
    }
    assert!(!is_animated_gif(&[0x2c; 64]));
}

#[test]
fn gif_cut_anywhere_does_not_panic() {
    let still = gif(1, true);
    assert!((0..still.len()).all(|end| !is_animated_gif(&still[..end])));
    let animated = gif(2, true);
    let seen: Vec<bool> = (0..=animated.len()).map(|end| is_animated_gif(&animated[..end])).collect();
    assert!(seen.is_sorted() && seen.last() == Some(&true));
}

#[test]
fn gif_after_the_trailer_is_not_looked_at() {
    let mut bytes = gif(1, false);
    bytes.extend([0x2c; 64]);
    assert!(!is_animated_gif(&bytes));
}

#[test]
fn files_by_content_then_by_name() {
    let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for (bytes, name, expected) in [
        (&b"%PDF-1.7"[..], "x.txt", "application/pdf"),
        (b"\xff\xd8\xff\xe0", "x.png", "image/jpeg"),
        (b"PK\x03\x04", "dir/Report.DOCX", docx),
        (b"PK\x03\x04", "x.epub", "application/epub+zip"),
        (b"PK\x03\x04", "x.txt", "application/zip"),
        (b"PK\x03\x04", "x", "application/zip"),
        (b"a,b", "x.csv", "text/csv"),
        (b"{}", "x.json", "application/json"),
        (b"# x", "README.md", "text/markdown"),
        (b"fn", "main.rs", "text/x-rust"),
        (b"x", "a.b/c", "application/octet-stream"),
        (b"x", ".json", "application/octet-stream"),
        (b"", "", "application/octet-stream"),
    ] {
        assert_eq!(file_type(bytes, name), expected, "{name}");
    }
}

#[test]
fn data_urls_are_standard_and_padded() {
    assert_eq!(data_url("image/png", b""), "data:image/png;base64,");
    assert_eq!(data_url("text/plain", b"a"), "data:text/plain;base64,YQ==");
    assert_eq!(data_url("a/b", &[0xfb, 0xff]), "data:a/b;base64,+/8=");
}
