import { readFileSync } from 'node:fs'

import { PACKAGE_FOLDER } from './package-folder.js'

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
  version: string
}

/** Version of this package. */
export const VERSION = manifest.version
