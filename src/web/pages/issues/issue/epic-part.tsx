import { Goal } from 'lucide'

import { ChoiceBox } from '../../../discussion/choice-box.js'
import { SidePart, Unset } from '../../../discussion/side-part.js'
import { Icon } from '../../../kit/icon.js'
import { findEpicsAbove } from '../epic-path.js'
import styles from './epic-part.module.css'
import type { IssueProps } from './issue-props.js'

interface EpicPartProps extends Pick<IssueProps, 'project' | 'issue' | 'manages' | 'reason'> {
  /** Changes fields of the issue. */
  save: (fields: object) => Promise<void>
}

/** The epic of an issue; one of the groups above the project is chosen. */
export function EpicPart({ project, issue, manages, reason, save }: EpicPartProps) {
  const { epic } = issue
  return (
    <SidePart
      title="Epic"
      edit={
        manages && (
          <ChoiceBox
            of="epic"
            isSingle
            chosen={epic ? [{ key: String(epic.id), label: epic.title }] : []}
            find={async (text) =>
              (await findEpicsAbove(project, text)).map(({ id, title }) => ({
                key: String(id),
                label: title,
              }))
            }
            reason={reason}
            onApply={([chosen]) => save({ epic_id: chosen ? Number(chosen.key) : null })}
          />
        )
      }
    >
      {epic ? (
        <a class={styles['epic']} href={epic.url}>
          <Icon icon={Goal} size={14} />
          {epic.title}
        </a>
      ) : (
        <Unset />
      )}
    </SidePart>
  )
}
