import type { Database } from '../../database/connect.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { addBadge, listBadges } from './link-badges.js'
import { CreateBadge } from './schema.js'

/** Import and export of the badges of a project. */
export function badgePart(database: Database): TransferPart {
  return transferPart({
    name: 'badges',
    schema: CreateBadge,
    read: async function* ({ id }) {
      for (const { name, link_url, image_url } of await listBadges(database, { project_id: id })) {
        yield { name, link_url, image_url }
      }
    },
    identityOf: ({ name = null, link_url, image_url }) => [name, link_url, image_url],
    write: ({ project }, badge) => addBadge(database, { project_id: project.id }, badge),
  })
}
