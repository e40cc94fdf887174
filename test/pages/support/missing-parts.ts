import type { Route } from 'playwright-core'

/** A page that reads in steps, and the step that fails. */
export interface MissingPart {
  /** What the page says that it could not read. */
  what: string
  /** Where that is in `src/web`. */
  source: string
  /** Below the project of the scene. */
  address: string
  fails: RegExp
  /** Makes the page want that step, where the scene has too few records. */
  before?: { url: RegExp; respond: (route: Route) => Promise<void> }
}

/** Every part of a page that the page can do without (`Missing`), and one list for all that have a next page. */
export const MISSING_PARTS: readonly MissingPart[] = [
  {
    what: 'More files',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/diffs\?per_page=100/,
  },
  {
    what: 'More branches',
    source: 'frame/load-more.tsx',
    address: '/-/branches',
    fails: /\/branches\?.*page=2$/,
    before: {
      url: /\/repository\/branches\?.*per_page=(?!.*page=2$)/,
      respond: async (route) => {
        const response = await route.fetch()
        const link = `<${route.request().url()}&page=2>; rel="next"`
        await route.fulfill({ response, headers: { ...response.headers(), link } })
      },
    },
  },
  {
    what: 'Threads on lines',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/discussions\?with_details=true&per_page=100/,
  },
  {
    what: 'The comments of your review',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/draft_notes\?/,
  },
  {
    what: 'The files that you have viewed',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/viewed_files$/,
  },
  {
    what: 'Failed tests',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/test_cases\?status=failed/,
  },
  {
    what: 'The coverage of changed lines',
    source: 'pages/merge-requests/changes/reviewed-diff.tsx',
    address: '/-/merge_requests/1/diffs',
    fails: /\/merge_requests\/1\/coverage$/,
  },
  {
    what: 'Some comments',
    source: 'discussion/threads.tsx',
    address: '/-/merge_requests/1',
    fails: /\/discussions\?.*page=3$/,
    before: { url: /\/discussions\?.*page=1$/, respond: (route) => withTotal(route, 120) },
  },
  {
    what: 'Comments on lines',
    source: 'pages/code/commit/page.tsx',
    address: '/-/commit/main',
    fails: /\/comments\?per_page=100/,
  },
  {
    what: 'Commits of files',
    source: 'pages/code/tree/page.tsx',
    address: '/-/tree/main',
    fails: /\/tree_commits\?/,
  },
  {
    what: 'Commits of files',
    source: 'pages/overview/project-files.tsx',
    address: '',
    fails: /\/tree_commits\?/,
  },
  {
    what: 'Some pipelines',
    source: 'pages/pipelines/list/page.tsx',
    address: '/-/pipelines',
    fails: /\/pipelines\?.*page=2$/,
    before: { url: /\/pipelines\?.*page=1$/, respond: (route) => withTotal(route, 60) },
  },
  {
    what: 'Some entries',
    source: 'pages/jobs/artifacts/page.tsx',
    address: '/-/jobs/1/artifacts/browse',
    fails: /\/artifacts\/tree\?.*page=2$/,
    before: {
      url: /\/jobs\/1(\?.*|\/artifacts\/tree\?.*page=1)$/,
      respond: async (route) => {
        if (route.request().url().includes('/tree?'))
          return route.fulfill({ headers: { 'x-total': '60' }, json: [] })
        const response = await route.fetch()
        const job = (await response.json()) as object
        return route.fulfill({ json: { ...job, artifacts_file: { filename: 'artifacts.zip', size: 9 } } })
      },
    },
  },
]

async function withTotal(route: Route, total: number): Promise<void> {
  const response = await route.fetch()
  await route.fulfill({ response, headers: { ...response.headers(), 'x-total': String(total) } })
}
