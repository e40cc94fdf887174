// Compiles the hostile texts with these names, and prints which one it is at. Must be bundled: it imports TypeScript.
import { compile } from '../../../src/ci-config/compile.js'
import { hostileTexts } from './hostile-texts.mjs'

const commit = { projectPath: 'group/project', sha: 'a'.repeat(40) }
const paths = Array.from({ length: 5000 }, (_, index) => `packages/p${index % 500}/src/file${index}.ts`)

for (const name of process.argv.slice(2)) {
  process.stdout.write(`${name}\n`)
  const text = hostileTexts[name]?.() ?? ''
  /** @type {import('../../../src/ci-config/sources.js').ConfigSources} */
  const sources = {
    readFile: async (_, path) => ({ '.gitlab-ci.yml': text, 'a.yml': '.x: 1' })[path],
    listFiles: async () => paths,
    findProject: async () => 'not-found',
    changedFiles: async () => paths.slice(0, 100),
    changedFilesSince: async () => undefined,
    fetchRemote: async () => ({ kind: 'failed', reason: 'because it is not there' }),
    readTemplate: async () => undefined,
    findComponentVersion: async () => 'not-found',
    readArtifact: async () => undefined,
  }
  await compile(text, sources, {
    ...{ ref: 'main', refType: 'branch', source: 'push', projectPath: commit.projectPath },
    origin: { file: '.gitlab-ci.yml', commit },
    variables: {
      ...{ predefined: [{ key: 'CI_COMMIT_BRANCH', value: 'a'.repeat(5000) }] },
      ...{ user: [], settings: [], pipeline: [] },
    },
  })
}
process.stdout.write('done\n')
