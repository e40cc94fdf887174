import { SquarePen } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { readDraft, useDraft } from '../../../editor/draft.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { PageHeader } from '../../../kit/panel.js'
import { FIRST_FILE } from '../ci-file.js'
import { Workbench } from '../workbench.js'

/** Checks any text as the CI file of the project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Check a CI file · ${project}`)
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  const key = `${project}:lint`
  const [text, setText] = useState(() => readDraft(key) ?? FIRST_FILE)
  useDraft(key, text, text !== FIRST_FILE)
  return (
    <>
      <PageHeader
        title="Check a CI file"
        details="A text of yours, checked as if it were the CI file of this project. Nothing is stored."
        actions={
          <LinkButton icon={SquarePen} href={addressOf('editor/edit', { project })}>
            Pipeline editor
          </LinkButton>
        }
      />
      <Allowed
        abilities={useProjectAbilities(project)}
        to="lint_pipelines"
        otherwise="Developers and above can have a text checked."
      >
        <Read of={record}>
          {({ default_branch: branch }) => (
            <Workbench
              project={project}
              refName={branch ?? ''}
              path=".gitlab-ci.yml"
              text={text}
              onInput={setText}
              mayCheck
              isSignedIn={boot.user !== null}
            />
          )}
        </Read>
      </Allowed>
    </>
  )
}
