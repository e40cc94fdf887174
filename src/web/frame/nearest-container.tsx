import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { type ContainerAbove, containersAbove } from '../../addresses/containers-above.js'
import { groupRecord, projectApi } from '../../addresses/first-reads.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import { RequestError } from '../api/client.js'
import { readOnce, useRead } from '../api/use-read.js'
import { LinkButton } from '../kit/button.js'
import { RequestAccess } from './request-access.js'

/** The part of the present address that the user may see: a link, and a request for access to the group. */
export function NearestContainer() {
  const [container, setContainer] = useState<ContainerAbove>()
  useEffect(() => {
    let isShown = true
    void findNearest(containersAbove(location.pathname)).then((found) => {
      if (isShown) setContainer(found)
    })
    return () => void (isShown = false)
  }, [])
  const isGroup = container?.kind === 'group'
  const group = useRead<Group>(isGroup ? groupRecord(container.path) : undefined).data
  if (!container) return null
  return (
    <>
      <LinkButton href={addressOf('overview', { path: container.path })}>Go to {container.path}</LinkButton>
      {group && <RequestAccess group={group} />}
    </>
  )
}

async function findNearest([container, ...further]: ContainerAbove[]): Promise<ContainerAbove | undefined> {
  if (!container) return undefined
  try {
    await readOnce(container.kind === 'project' ? projectApi(container.path) : groupRecord(container.path))
    return container
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return findNearest(further)
    // Without a response there is no link to offer. The page already shows the problem.
    if (error instanceof RequestError) return undefined
    throw error
  }
}
