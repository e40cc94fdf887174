// `node scripts/capacity.mjs`: computes the second table of docs/capacity.md from its first one.
import { readFileSync, writeFileSync } from 'node:fs'

import { withModel } from './capacity/model.mjs'

const PAGE = new URL('../docs/capacity.md', import.meta.url)

writeFileSync(PAGE, withModel(readFileSync(PAGE, 'utf8')))
