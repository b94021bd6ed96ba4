"""Who represents whom, where no single task holds all links."""

from ._components import components

# Links up to which one task clusters them all: about a hundred bytes each.
MAX_LINKS_OF_A_TASK = 5_000_000
# Rounds after which what is left is taken apart into its components.
MAX_ROUNDS = 8


def stars(run, links):
    """The members of all stars, each with its representative: what one machine finds that takes documents in the order of representatives.

    A document that is linked with none before it represents, and whoever it is linked with does not; then the same again for those that
    are left. Rounds shrink the links fast, however large a component is, until one task can hold them. What rounds do not shrink are long
    chains, and those are components of their own. In the end each document chooses among those that represent.
    """
    rest, members = links, []
    while rest.count() > MAX_LINKS_OF_A_TASK and len(members) < MAX_ROUNDS:
        rest, found = _round(run, rest, len(members))
        members.append(found)
    if rest.count() <= MAX_LINKS_OF_A_TASK:
        left = run.step("stars", rest.selectExpr("0L as component", "*"))
    else:
        known = components(run, rest.select("a", "b"))
        left = run.step("stars", rest.join(known, rest["a"] == known["node"]).drop("node"))
    if not members:
        return left
    everybody = run.checkpointed("members-left", lambda: left, run.steps.columns("stars")).selectExpr("canonical as node")
    for some in members:
        everybody = everybody.unionByName(some)
    # who is no member represents, also one whose links were all decided by others; and each member chooses by itself
    choices = links.join(everybody, links["a"] == everybody["node"], "left_anti")
    return run.step("stars", choices.selectExpr("b as component", "*"))


def _round(run, links, number):
    """The links that are left, and those who do not represent."""
    later = links.selectExpr("b as node").distinct()
    heads = run.checkpointed(
        f"heads-{number}",
        lambda: links.selectExpr("a as node").distinct().join(later, "node", "left_anti"),
        "node bigint",
    )
    members = run.checkpointed(
        f"members-{number}",
        lambda: links.join(heads, links["a"] == heads["node"], "left_semi").selectExpr("b as node").distinct(),
        "node bigint",
    )

    def left():
        decided = heads.unionByName(members)
        rest = links.join(decided, links["a"] == decided["node"], "left_anti")
        return rest.join(members, rest["b"] == members["node"], "left_anti")

    return run.checkpointed(f"links-{number}", left, run.steps.columns("verify")), members
