import { join } from 'node:path'

import { root } from '../setup/root.mjs'

/** Everything that `npm run dev` writes. */
export const DEV_FOLDER = join(root, '.switchyard/dev')

/** The data folder of the coordinator and, in it, of the runner. */
export const DATA_FOLDER = join(DEV_FOLDER, 'data')

/** The bundle of the server. It is apart from dist/, which tests and `npm start` use. */
export const BUNDLE_FOLDER = join(DEV_FOLDER, 'bundle')
export const MAIN = join(BUNDLE_FOLDER, 'cli/main.js')

/** What the coordinator finds in place of built pages: the icon of the site. */
export const PUBLIC_FOLDER = join(DEV_FOLDER, 'web')
