"""Peak memory of a run over 200 documents of 20 kB: the ceiling is 300 MiB."""

import random

from benchmarks.installation import install, peak_mib

DOCUMENTS = 200
SIZE = 20_000
VOCABULARY = (
    "service data retained deleted days region logs access token encrypted support"
    " release policy customer audit export backup key rotation incident report"
)


def main() -> None:
    install()
    from accounts.models import Feature, User
    from accounts.queries import actor_for
    from accounts.services import create_organization, set_feature
    from research.models import Run
    from research.services.bring_documents import Document
    from research.services.execute_run import execute_run
    from research.services.start_run import start_run
    from research.subjects.identity import question_subject

    owner = User.objects.create_user("owner@example.org", None)
    organization = create_organization(name="Bench", owner=owner)
    by = actor_for(owner, organization.slug)
    for feature in (Feature.MCP_APPROVAL, Feature.MCP_RESEARCH):
        set_feature(by=by, feature=feature, enabled=True)
    before = peak_mib()
    run = start_run(
        by=by,
        subject=question_subject("For how many days are access logs retained?"),
        documents=[Document(f"{n:03}.txt", _text(n)) for n in range(DOCUMENTS)],
        ring_bell=False,
    )
    execute_run(run.public_id, owner="bench")
    run = Run.objects.get(pk=run.pk)
    peak = peak_mib()
    print(
        f"run_memory: {DOCUMENTS} documents of {SIZE} bytes, run {run.status}:"
        f" peak {peak:.0f} MiB, {peak / before:.2f} times an idle process"
        f" ({before:.0f} MiB)"
    )


def _text(seed: int) -> bytes:
    """Deterministic prose; one document in ten answers the question."""
    choose = random.Random(seed)
    lines = []
    while sum(map(len, lines)) < SIZE:
        lines.append(
            " ".join(choose.choices(VOCABULARY.split(), k=14)).capitalize() + ".\n"
        )
    if seed % 10 == 0:
        lines.insert(5, f"Access logs are retained for {seed + 30} days.\n")
    return "".join(lines).encode()[:SIZE]


if __name__ == "__main__":
    main()
