import { EditPage } from './page-form.js'
import { PageVersions } from './page-versions.js'
import type { WikiOwner } from './wiki-owner.js'

/** What an address names behind a page: its editor, its history, or what a version changed. */
export function PageView({ view, ...of }: { owner: WikiOwner; slug: string; view: string }) {
  return view === 'edit' ? <EditPage key={of.slug} {...of} /> : <PageVersions {...of} view={view} />
}
