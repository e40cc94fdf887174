import { BookOpen } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { RenderedFile } from '../../../coordinator/hosting/repository-contents/view-schema.js'
import { useRead } from '../../api/use-read.js'
import { Rendered } from '../../code/rendered.js'
import type { May } from '../../frame/use-abilities.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import styles from './readme.module.css'

interface ReadmeProps {
  project: string
  branch: string
  abilities: May
}

/** The README of the default branch. */
export function Readme({ project, branch, abilities }: ReadmeProps) {
  const { data } = useRead<RenderedFile>(
    `${projectApi(project)}/repository/rendered${queryOf({ ref: branch })}`,
  )
  if (!data) return null
  const { path, html } = data
  if (path === null) {
    if (!abilities.may('push_code')) return null
    return (
      <p class={styles['none']}>
        <Icon icon={BookOpen} /> A README says what this project is and how to use it.
      </p>
    )
  }
  const href = addressOf('code/file', { project, ref_path: `${branch}/${path}` })
  return (
    <Panel
      class={styles['readme']}
      title={
        <>
          <Icon icon={BookOpen} />
          <a href={href}>{path}</a>
        </>
      }
    >
      {html === null ? (
        <p>This file is too large, or no text. Open it to see it.</p>
      ) : (
        <Rendered html={html} below={2} />
      )}
    </Panel>
  )
}
