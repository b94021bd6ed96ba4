// What the models of both pages share: a threshold that can be moved, and the clusters at it.

/**
 * @template {{ number: number }} C  a cluster
 */
export class ClusterModel {
  /** @param {number} scanned  the threshold of the report: where the page begins */
  constructor(scanned) {
    this.scanned = scanned;
    /** The threshold of the moment. */
    this.threshold = scanned;
    /** @type {Map<number, C[]>} by threshold */
    this.known = new Map();
  }

  /** Makes the clusters at a threshold, largest first. @param {number} _threshold @returns {C[]} */
  assemble(_threshold) {
    return [];
  }

  /** What is in a cluster. @param {C} _cluster @returns {number[]} */
  itemsOf(_cluster) {
    return [];
  }

  /** Whether the clusters at a threshold are known. @param {number} _threshold */
  allows(_threshold) {
    return true;
  }

  /** Takes a threshold from an address; without one, or with one that is not known, the report's. @param {URLSearchParams} query */
  follow(query) {
    const threshold = Number(query.get('t') ?? this.scanned);
    this.threshold = this.allows(threshold) ? threshold : this.scanned;
  }

  /** Clusters at the threshold of the moment, largest first. */
  get clusters() {
    return this.at(this.threshold);
  }

  /** Clusters at any threshold. @param {number} threshold @returns {C[]} */
  at(threshold) {
    const known = this.known.get(threshold);
    if (known !== undefined) return known;
    const clusters = this.assemble(threshold);
    clusters.forEach((cluster, at) => { cluster.number = at + 1; });
    this.known.set(threshold, clusters);
    // the report's own is never dropped; of the others a few
    if (this.known.size > 8) {
      const oldest = [...this.known.keys()].find((t) => t !== this.scanned && t !== threshold);
      if (oldest !== undefined) this.known.delete(oldest);
    }
    return clusters;
  }

  /** The cluster of a document or submission, if it is in one now. @param {number} item */
  clusterOf(item) {
    return this.clusters.find((cluster) => this.itemsOf(cluster).includes(item));
  }
}
