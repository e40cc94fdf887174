import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { fleet } from './fleet.mjs'
import { projects } from './plan.mjs'

/**
 * What the demo has made, as far as its next start and those who look at it need to know.
 * @typedef {object} Scene
 * @property {Record<string, { id: number, token: string }>} people by user name
 * @property {{ path: string, id: number }[]} projects
 * @property {{ id: number, token: string, description: string }[]} runners
 * @property {{ project: string, job: number }} bigLog the job with the long log
 * @property {{ project: string, pipeline: number }} manyJobs the pipeline of many jobs
 */

/** @typedef {{ adminToken: string, registrationToken: string }} Tokens */
/** `hookPort`: where webhooks are received. @typedef {{ scene: Scene, tokens: Tokens, hookPort: number }} SavedDemo */

/**
 * The scene of a data folder, if the demo has made one there.
 * @param {string} folder
 * @returns {Promise<SavedDemo | undefined>}
 */
export async function loadScene(folder) {
  try {
    return JSON.parse(await readFile(fileIn(folder), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * @param {string} folder
 * @param {SavedDemo} demo
 */
export async function saveScene(folder, demo) {
  await writeFile(fileIn(folder), JSON.stringify(demo), { mode: 0o600 })
}

/** @param {string} folder */
const fileIn = (folder) => join(folder, 'demo.json')

/**
 * The runners of a scene, with their plans.
 * @param {Scene} scene
 * @returns {import('./runners.mjs').DemoRunner[]}
 */
export function runnersOf({ runners }) {
  return runners.flatMap(({ id, token, description }) => {
    const plan = fleet.find((each) => each.description === description)
    return plan ? [{ id, token, plan }] : []
  })
}

/**
 * The plan of a project of a scene.
 * @param {Scene} scene
 * @param {number} id
 */
export function planOf(scene, id) {
  const path = scene.projects.find((project) => project.id === id)?.path
  return projects.find((plan) => plan.path === path)
}
