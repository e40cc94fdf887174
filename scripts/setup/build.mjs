import { join } from 'node:path'

import { root } from './root.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

/** Compiles src/ to dist/. The compiler knows from its own notes in dist/ what is up to date. */
export async function ensureBuild() {
  say('compiling')
  await run(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.build.json'),
  ])
}
