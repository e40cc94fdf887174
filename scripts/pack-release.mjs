// `npm run pack:release`: packs the last commit into release/, without a new version and a tag.
import { join } from 'node:path'

import { packRelease } from './release/pack.mjs'
import { command } from './setup/command.mjs'
import { root } from './setup/root.mjs'

await command(async () => {
  await packRelease(join(root, 'release'))
  return 0
})
