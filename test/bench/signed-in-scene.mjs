import { request } from 'undici'

import { ADMIN_TOKEN } from './tokens.mjs'

/** Lines of the file to blame. */
const LINES = 400_000

/** @typedef {{ project: string, headers: Record<string, string> }} SignedInScene */

/**
 * A project with what a user may ask about: an issue, a merge request, a label, a file of many lines and one of many
 * rules. Returns the address of the project below the API.
 * @param {string} url
 * @returns {Promise<SignedInScene>}
 */
export async function addSignedInScene(url) {
  const headers = { 'private-token': ADMIN_TOKEN, 'content-type': 'application/json' }
  /**
   * @param {'POST' | 'PUT'} method
   * @param {string} path
   * @param {object} body
   */
  const make = async (method, path, body) => {
    const response = await request(`${url}/api/v4${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.body.text()
    if (response.statusCode >= 400)
      throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  // No comments are refused for their number.
  await make('PUT', '/application/settings', { notes_create_limit: 0, search_rate_limit: 0 })
  const { id } = await make('POST', '/projects', { name: 'signed-in', initialize_with_readme: true })
  const project = `/projects/${id}`
  const commit = (
    /** @type {string} */ branch,
    /** @type {Record<string, string>} */ files,
    /** @type {object} */ more,
  ) =>
    make('POST', `${project}/repository/commits`, {
      ...{ branch, commit_message: branch, ...more },
      actions: Object.entries(files).map(([file_path, content]) => ({
        action: 'create',
        file_path,
        content,
      })),
    })
  await commit('main', { 'lines.txt': 'x\n'.repeat(LINES), 'long.txt': 'x'.repeat(1024 * 1024) }, {})
  await make('PUT', `${project}/repository/files/lines.txt`, {
    ...{ branch: 'main', commit_message: 'Change every second line' },
    content: 'x\ny\n'.repeat(LINES / 2),
  })
  await commit('topic', { 'more.txt': '#1\n'.repeat(LINES) }, { start_branch: 'main' })
  await commit('second', { 'a.txt': 'a' }, { start_branch: 'main' })
  await make('POST', `${project}/labels`, { name: 'bug', color: '#ff0000' })
  await make('POST', `${project}/issues`, { title: 'An issue' })
  await make('POST', `${project}/merge_requests`, {
    ...{ title: 'A merge request', source_branch: 'topic', target_branch: 'main' },
  })
  return { project: `/api/v4${project}`, headers }
}
