"""Small PDFs, written by hand so that no test needs a PDF library."""


def pdf_with_pages(*pages: list[str], extra_trailer: str = "") -> bytes:
    """A PDF whose pages hold these lines of text; an empty list is an empty page."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Title (A small paper) >>",
    ]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td {shown} ET" if lines else ""
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Contents {len(objects)} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _file(objects, extra_trailer)


def _file(objects: list[str], extra_trailer: str) -> bytes:
    out = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    out += "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R"
    out += f" {extra_trailer} >>\nstartxref\n{start}\n%%EOF\n"
    return out.encode("latin-1")


def encrypted_pdf() -> bytes:
    """A PDF that asks for a password that nobody knows."""
    key = "00" * 32
    return pdf_with_pages(
        ["secret"],
        extra_trailer=(
            f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -4 >> "
            f"/ID [<{key[:32]}> <{key[:32]}>]"
        ),
    )
