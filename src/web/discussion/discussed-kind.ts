/** What has discussions on pages, as the path of its list in the API. */
export type DiscussedKind = 'issues' | 'merge_requests' | 'snippets' | 'epics'
