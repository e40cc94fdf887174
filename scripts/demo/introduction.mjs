/**
 * What to look at, as text.
 * @param {import('./api.mjs').Api} api of the administrator
 * @param {import('./scene.mjs').Scene} scene
 */
export async function introductionOf(api, { bigLog, manyJobs }) {
  const { url: signInLink } = await api.post('/users/1/sign_in_links')
  const places = [
    ['a pipeline of many jobs', `/${manyJobs.project}/-/pipelines/${manyJobs.pipeline}?view=graph`],
    ['where its time went', `/${manyJobs.project}/-/pipelines/${manyJobs.pipeline}/waterfall`],
    ['a long log', `/${bigLog.project}/-/jobs/${bigLog.job}`],
    ['pipelines with failures', '/atlas/web/-/pipelines?status=failed'],
    ['pipelines that run now', '/groups/atlas/-/pipelines'],
    ['a review, with coverage', '/atlas/api/-/merge_requests/3/diffs'],
    ['a merge train', '/atlas/web/-/merge_requests/2'],
    ['jobs that wait, and why', '/admin/jobs?scope=pending'],
    ['the runners', '/admin/runners'],
  ]
  return [
    'Sign in as the administrator. The link works once:',
    `  ${signInLink}`,
    '',
    'Look at:',
    ...places.map(([what, path]) => `  ${(what ?? '').padEnd(26)}${api.url}${path}`),
    '',
    'Jobs run and people push until Ctrl-C.',
  ].join('\n')
}
