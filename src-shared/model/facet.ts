/** What runs are found by: the keys of a filter that a run has values of. */
export const facetKeys = ['engine', 'pi', 'version', 'tag', 'verdict', 'status', 'target', 'plan'] as const;
export type FacetKey = (typeof facetKeys)[number];
