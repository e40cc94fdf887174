import type { Transaction } from '../../database/transaction.js'
import { recordOnTarget } from '../../integrations/activity-events/record-activity.js'
import type { ChangedPage } from './changed-pages.js'
import { insertPage, listPagesWithSlugs, updatePage } from './page-store.js'

const ACTIONS = { create: 'created', update: 'updated', delete: 'destroyed' } as const

/**
 * Records what a user did to pages. A renamed page keeps its ID, unless its new slug has another one, and a page that is
 * created again has its ID again.
 */
export async function recordPages(
  tx: Transaction,
  at: { projectId: number; userId: number },
  pages: readonly ChangedPage[],
): Promise<void> {
  const slugs = pages.flatMap(({ slug, formerSlug }) => [
    slug,
    ...(formerSlug === undefined ? [] : [formerSlug]),
  ])
  const known = await listPagesWithSlugs(tx, at.projectId, [...new Set(slugs)])
  const bySlug = new Map(known.map((page) => [page.slug, page]))
  for (const { action, slug, title, format, formerSlug } of pages) {
    const former = bySlug.get(slug) ?? bySlug.get(formerSlug ?? '')
    const row = { project_id: at.projectId, slug, title, format }
    const page = former ? { ...former, ...row } : { id: await insertPage(tx, row), ...row }
    if (former && (former.slug !== slug || former.title !== title || former.format !== format))
      await updatePage(tx, page)
    if (former) bySlug.delete(former.slug)
    bySlug.set(slug, page)
    await recordOnTarget(tx, ACTIONS[action], { ...at, target: { wiki_page_id: page.id } })
  }
}
