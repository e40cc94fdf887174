import type { FastifyReply } from 'fastify'

import type { Project } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import type { Reading } from './browse/reading.js'
import type { Repositories } from './repositories.js'

/** Reads the repository of the project of a call, until the client disconnects. */
export function readingFor(
  { repositories }: { repositories: Pick<Repositories, 'reading'> },
  { project, reply }: { project: Pick<Project, 'id'>; reply: FastifyReply },
): Reading {
  return repositories.reading(project.id, clientGone(reply))
}
