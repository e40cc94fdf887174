import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { BlobStore } from '../../ci/storage/blob-store.js'
import { clientGone } from '../../http/client-gone.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import type { Reading } from '../repositories/browse/reading.js'
import { changerOf } from '../repositories/change/change-refs.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { blameAnswer } from './blame-answer.js'
import { requireFile } from './find-file.js'
import { fileAnswer, headAnswer, rawAnswer } from './read-file.js'
import { lfsAnswer } from './read-lfs.js'
import {
  BlameRange,
  CreateFile,
  DeleteFile,
  FileRecord,
  FileWritten,
  GetBlame,
  GetFile,
  GetRaw,
  UpdateFile,
} from './schema.js'
import { deleteFile, writeFile } from './write-file.js'

export interface FileDeps {
  pushes: PushDeps
  blobs: BlobStore
  /** Maximum request size, in bytes. */
  maxCommitBytes: number
}

/** Single files of a project (API, E4). */
export function fileOperations({ pushes, blobs, maxCommitBytes }: FileDeps): Operation[] {
  return [...reading(pushes, blobs), ...writing(pushes, maxCommitBytes)]
}

function reading(pushes: PushDeps, blobs: BlobStore): Operation[] {
  return [
    operation('GET /projects/:id/repository/files/:file_path', {
      summary: 'Get a file; HEAD answers with headers only',
      access: 'read_code',
      scopes: ['read_repository'],
      params: GetFile,
      answers: { 200: FileRecord },
      run: async ({ project, params, request, reply }) => {
        const reading = readingOf(pushes, project, reply)
        const facts = await requireFile(pushes, project, reading, params)
        return request.method === 'HEAD' ? headAnswer(facts) : fileAnswer(reading, facts)
      },
    }),
    operation('GET /projects/:id/repository/files/:file_path/raw', {
      summary: 'Get the raw content of a file; HEAD answers with headers only',
      access: 'read_code',
      scopes: ['read_repository'],
      jobToken: true,
      params: GetRaw,
      answers: { 200: Type.Unknown({ description: 'Content of the file' }) },
      run: async ({ project, params, request, reply }) => {
        const reading = readingOf(pushes, project, reply)
        const facts = await requireFile(pushes, project, reading, params)
        const isHead = request.method === 'HEAD'
        const { database } = pushes
        const large = params.lfs
          ? await lfsAnswer({ database, blobs }, project, reading, facts, isHead)
          : undefined
        return large ?? rawAnswer(reading, facts, isHead)
      },
    }),
    operation('GET /projects/:id/repository/files/:file_path/blame', {
      summary: 'Get the blame of a file; HEAD answers with headers only',
      access: 'read_code',
      scopes: ['read_repository'],
      params: GetBlame,
      answers: { 200: Type.Array(BlameRange) },
      run: async ({ project, params, request, reply }) => {
        const reading = readingOf(pushes, project, reply)
        const facts = await requireFile(pushes, project, reading, params)
        if (request.method === 'HEAD') return headAnswer(facts)
        return blameAnswer(reading, facts, params.range)
      },
    }),
  ]
}

function writing(pushes: PushDeps, maxBodyBytes: number): Operation[] {
  return [
    operation('POST /projects/:id/repository/files/:file_path', {
      summary: 'Create a file',
      access: 'push_code',
      maxBodyBytes,
      params: CreateFile,
      answers: { 201: FileWritten },
      run: (call) => {
        const reading = readingOf(pushes, call.project, call.reply)
        return writeFile(pushes, changerOf(call), reading, { action: 'create', params: call.params })
      },
    }),
    operation('PUT /projects/:id/repository/files/:file_path', {
      summary: 'Update a file',
      access: 'push_code',
      maxBodyBytes,
      params: UpdateFile,
      answers: { 200: FileWritten },
      run: (call) => {
        const reading = readingOf(pushes, call.project, call.reply)
        return writeFile(pushes, changerOf(call), reading, { action: 'update', params: call.params })
      },
    }),
    operation('DELETE /projects/:id/repository/files/:file_path', {
      summary: 'Delete a file',
      access: 'push_code',
      params: DeleteFile,
      answers: { 204: NoBody },
      run: async (call) => {
        await deleteFile(pushes, changerOf(call), readingOf(pushes, call.project, call.reply), call.params)
        return answer(204)
      },
    }),
  ]
}

function readingOf({ repositories }: PushDeps, project: Project, reply: FastifyReply): Reading {
  return repositories.reading(project.id, clientGone(reply))
}
