import type { WikiDeps } from '../hosting/wikis/wiki-deps.js'
import { GROUP_WIKIS } from '../hosting/wikis/wiki-records.js'
import type { Services } from './services/services.js'

/** The dependencies of wikis of groups. */
export function groupWikiDeps({
  database,
  groupWikiRepositories,
}: Pick<Services, 'database' | 'groupWikiRepositories'>): WikiDeps {
  return { database, wikiRepositories: groupWikiRepositories, records: GROUP_WIKIS }
}
