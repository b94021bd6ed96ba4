"""Connected components of a graph that no single machine holds."""


def components(run, edges):
    """The connected component of each document, by alternating stars (Kiveris et al. 2014): a round takes what is in reach of a
    document to the least of it, so that long chains take few rounds. Each round is written, so that a lost worker costs one."""
    edges = edges.selectExpr("least(a, b) as low", "greatest(a, b) as high").where("low <> high").distinct()
    before, number = None, 0
    while True:
        # every node's larger neighbours go to the least that it knows, itself included
        both = edges.selectExpr("low as node", "high as other").unionByName(edges.selectExpr("high as node", "low as other"))
        least = both.groupBy("node").min("other").toDF("node", "least").selectExpr("node", "least(node, least) as least")
        large = both.join(least, "node").where("other > node").selectExpr("least as low", "other as high").where("low <> high")
        # then its smaller neighbours, and itself, go to the least of them
        large = large.distinct()
        small_least = large.groupBy("high").min("low").toDF("high", "least")
        small = large.join(small_least, "high").selectExpr("least", "low", "high")
        next_edges = (
            small.selectExpr("least as low", "high")
            .unionByName(small.where("low <> least").selectExpr("least as low", "low as high"))
            .where("low <> high")
            .distinct()
        )
        edges = run.checkpointed(f"components-{number}", lambda next_edges=next_edges: next_edges, "low bigint, high bigint")
        # a forest of stars stays as it is
        now = tuple(edges.selectExpr("count(*)", "sum(cast(low as decimal(38, 0)))", "sum(cast(high as decimal(38, 0)))").collect()[0])
        if now == before:
            break
        before, number = now, number + 1
    nodes = edges.selectExpr("high as node", "low as component").distinct()
    return nodes.unionByName(edges.selectExpr("low as node", "low as component").distinct())
