"""The rows of the product's list, each with a short title: what tests may prove."""

from dataclasses import dataclass

_ROWS = """
A1 One source of truth for the server web_search block
A2 Client tools that collide with a server tool are removed
A3 Server search on every agentic route
A4 pause_turn is continued and text accumulates
A5 server_tool_use counts, a truncated block does not
A6 Limits of a chat turn are settings
A7 Container id is carried forward
A8 400s fall back to direct callers or the basic version, once
A9 The head of an API error is logged and shown
A10 Every block is read by its own type
A11 Every tool_use of a turn is answered, in parallel
A12 A turn stops for approval and resumes from stored state
A13 One output gate on every route
A14 A contract probe over all routes of a running server
B1 Named stop reasons
B2 Run report with analyzer findings and a CLI
B3 No-progress guard
B4 Separate budgets for outside and context tools
B5 Write-back compaction with a circuit breaker
B6 Recall catalog that stays addressable
B7 Pinned task head
B8 No unseen evidence is evicted silently
B9 Enforced structured output with one tools-free finalizer
B10 Window-derived budgets and reply reserve
B11 Preflight fitness
B12 Wall clock, per-call timeouts, overflow recovery
B13 Streams never leak exceptions
B14 Resources rendered, classified and covered
B15 Decomposition with four gates and bounded children
B16 Critic and refiner with verifier parity
B17 Web search over exchangeable backends
B18 Provider details: argument mappings, closed schemas
C1 web_search returns cited results only
C2 OpenRouter's web plugin as a backend
C3 fetch_page: https, redirects, sizes and types
C4 SSRF control at connect time on every hop
C5 URL menu
C6 Budgets keyed by run id
C7 Spend on the organization's chat key as mcp-research
C8 The toolset is in-process only
C9 Feature-gated, re-checked, with a kill switch
C10 Untrusted-content posture in descriptions and structure
C11 Deterministic collectors into the dossier
C12 Injection judge with honest denominators
C13 Validated report: tiers, coverage, no uncited claims
C14 Approval lifecycle, drift, audit, notifications
D1 Quotes proven against stored bytes
D2 Two lights
D3 Human view beside model view
D4 Quote-level drift
D5 Hash-chained case file, verified offline
D6 Replayable runs
D7 Per-citation verdicts with four-eyes and blind review
D8 Independent origins counted, not links
D9 Ledger of what was looked for
D10 Reserve before spend, with a closing reserve
D11 Carry-over review of only what changed
D12 Portable signed approval
D13 Works without any key
D14 Vendor-owned domains never count as independent
"""


@dataclass(frozen=True)
class Row:
    id: str
    title: str


ROWS = [Row(*line.split(" ", 1)) for line in _ROWS.strip().splitlines()]
ROW_IDS = frozenset(row.id for row in ROWS)
