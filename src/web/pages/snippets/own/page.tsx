import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { PageHeader } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { NewSnippetButton, SnippetList } from '../snippet-list.js'
import { listAddress } from '../snippet-owner.js'
import styles from './page.module.css'

/** The snippets of the user, and those of others that are not in a project. */
export function Page() {
  useTitle('Snippets')
  const [search] = useSearch()
  const showsAll = search.get('scope') === 'all'
  const address = listAddress(undefined)
  return (
    <>
      <PageHeader title="Snippets" actions={<NewSnippetButton project={undefined} />} />
      <Tabs
        label="Snippets"
        tabs={[
          { label: 'Yours', href: address, isCurrent: !showsAll },
          { label: 'All', href: `${address}?scope=all`, isCurrent: showsAll },
        ]}
      />
      <div class={styles['list']}>
        {showsAll ? (
          <SnippetList
            key="all"
            project={undefined}
            path="/snippets/all"
            empty="There is no snippet that you may see."
          />
        ) : (
          <SnippetList key="own" project={undefined} path="/snippets" empty="You have no snippet yet." />
        )}
      </div>
    </>
  )
}
