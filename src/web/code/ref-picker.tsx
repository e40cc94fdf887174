import { GitBranch, GitCommitHorizontal, Tag } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import { useRead } from '../api/use-read.js'
import { Icon } from '../kit/icon.js'
import { Popover } from '../kit/popover.js'
import { SearchField } from '../kit/search-field.js'
import styles from './ref-picker.module.css'

const COUNT = 20

interface RefPickerProps {
  project: string
  /** The branch, tag or commit that is shown. */
  current: string
  /** The address that shows another branch or tag. */
  hrefOf: (name: string) => string
}

/** A button with the present branch, tag or commit, which opens a list to go to another one. */
export function RefPicker({ project, current, hrefOf }: RefPickerProps) {
  return (
    <Popover label={current} name={`Branch or tag: ${current}`} icon={GitBranch} rendersWhenOpen>
      <Choices project={project} current={current} hrefOf={hrefOf} />
    </Popover>
  )
}

function Choices({ project, current, hrefOf }: RefPickerProps) {
  const [search, setSearch] = useState('')
  const query = queryOf({ search: search || undefined, per_page: COUNT })
  const base = `${projectApi(project)}/repository`
  const branches = useRead<{ name: string }[]>(`${base}/branches${query}`, { keepsPrevious: true })
  const tags = useRead<{ name: string }[]>(`${base}/tags${query}`, { keepsPrevious: true })
  const sha = /^[0-9a-f]{7,40}$/i.test(search.trim()) ? search.trim().toLowerCase() : undefined
  const isEmpty = sha === undefined && branches.data?.length === 0 && tags.data?.length === 0
  return (
    <div class={styles['picker']}>
      <SearchField
        label="Find a branch, tag or commit"
        placeholder="Branch, tag or SHA"
        value={search}
        onSearch={setSearch}
      />
      <Names title="Branches" icon={GitBranch} refs={branches.data} {...{ current, hrefOf }} />
      <Names title="Tags" icon={Tag} refs={tags.data} {...{ current, hrefOf }} />
      {sha !== undefined && (
        <Names title="Commit" icon={GitCommitHorizontal} refs={[{ name: sha }]} {...{ current, hrefOf }} />
      )}
      {isEmpty && <p class={styles['none']}>No branch or tag has this name.</p>}
    </div>
  )
}

interface NamesProps extends Pick<RefPickerProps, 'current' | 'hrefOf'> {
  title: string
  icon: typeof Tag
  refs: { name: string }[] | undefined
}

function Names({ title, icon, refs = [], current, hrefOf }: NamesProps) {
  if (refs.length === 0) return null
  return (
    <section>
      <h3 class={styles['heading']}>{title}</h3>
      <ul class={styles['names']}>
        {refs.map(({ name }) => (
          <li key={name}>
            <a href={hrefOf(name)} aria-current={name === current ? 'true' : undefined}>
              <Icon icon={icon} size={14} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
