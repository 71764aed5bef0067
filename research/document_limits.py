"""How much may come with a run, once for every entrance; imports nothing.

`services/bring_documents.py` refuses what is over these limits.
"""

MIB = 1024 * 1024

MAX_FILES = 500
MAX_FILE_MIB = 10
MAX_TOTAL_MIB = 200
# Boundaries, headers and the other fields of a form of that many files.
FORM_MIB = 4
MAX_BODY_MIB = MAX_TOTAL_MIB + FORM_MIB

MAX_FILE_BYTES = MAX_FILE_MIB * MIB
MAX_TOTAL_BYTES = MAX_TOTAL_MIB * MIB
MAX_BODY_BYTES = MAX_BODY_MIB * MIB

IN_WORDS = f"{MAX_FILES} files of {MAX_FILE_MIB} MiB, {MAX_TOTAL_MIB} MiB in all"
