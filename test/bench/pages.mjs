import { join } from 'node:path'

import { logFigures } from './pages/log.mjs'
import { mergeRequestFigures } from './pages/merge-requests.mjs'
import { openPagesFigure } from './pages/open-pages.mjs'
import { paintFigures, sizeFigures } from './pages/paint.mjs'
import { pipelineFigures } from './pages/pipelines.mjs'
import { Browser } from './pages/tab.mjs'
import { Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * What people who use the pages wait for, in a browser, against the goals of the pages.
 * @returns {Promise<Figure[]>}
 */
export async function benchPages() {
  return withCoordinator([], async ({ url, pid, folder }) => {
    const project = await Project.create(url, join(folder, 'pages-open'), 'build: { script: "true" }\n')
    await makePublic(project)
    const openPages = await openPagesFigure(url, pid, project.id)
    const browser = await Browser.open(url)
    try {
      return [
        ...sizeFigures(),
        ...(await paintFigures(browser, folder)),
        ...(await logFigures(browser, folder)),
        ...(await pipelineFigures(browser, folder)),
        ...(await mergeRequestFigures(browser, folder)),
        openPages,
      ]
    } finally {
      await browser.close()
    }
  })
}

/** @param {Project} project */
async function makePublic({ api }) {
  const response = await fetch(api, {
    method: 'PUT',
    headers: { 'private-token': ADMIN_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ visibility: 'public' }),
  })
  if (!response.ok) throw new Error(`PUT ${api}: ${response.status}`)
}
