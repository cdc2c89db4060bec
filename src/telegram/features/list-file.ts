import type { Document } from 'grammy/types'
import { noAnswers } from '../../journal/list-draft.ts'
import { bare } from '../../lists/placed-line.ts'
import { writtenSize } from '../../lists/size.ts'
import type { NewList } from '../../orders/new-list.ts'
import type { Person } from '../../orders/purchases.ts'
import { type BotContext, forgetQuestion, messageCause, type Question } from '../chat/context.ts'
import { personOf } from '../chat/person.ts'
import type { Services } from '../chat/services.ts'
import { fileNotRead, sheetNotes } from '../texts/file.ts'
import { admit } from './hindrance.ts'
import { takeOwnFile } from './own-file.ts'
import { showPreview } from './preview.ts'

/** A file or a picture outside of `/connect`. @returns false if it cannot be an order in this chat. */
export const takeFile = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
): Promise<boolean> => {
  const person = await personOf(ctx, services)
  if (!person) return false
  const document = ctx.message?.document
  if (!document) {
    ctx.talk.say(fileNotRead({ kind: 'refused', code: 'unknown_kind', found: 'picture' }))
    return true
  }
  const chosen = question?.what === 'list' || question?.what === 'phone' ? question.bundleId : null
  await forgetQuestion(ctx, services)
  if (await admit(ctx, services, person)) readDocument(ctx, services, { person, document, chosen })
  return true
}

interface Sent {
  person: Person
  document: Document
  /** The bundle chosen before. */
  chosen: number | null
}

const readDocument = (ctx: BotContext, services: Services, { person, document, chosen }: Sent): void =>
  ctx.talk.aside(async () => {
    const reading = await ctx.readDocument(document)
    if (reading.kind === 'secret') return
    if (reading.kind !== 'text') {
      ctx.talk.say(fileNotRead(reading))
      return
    }
    if (takeOwnFile(ctx, reading.text)) return
    const list = withCaption(reading.text, ctx.message?.caption ?? '', chosen)
    const notes = reading.sheet ? sheetNotes(reading.sheet) : []
    if (notes.length > 0) ctx.talk.say(notes.join('\n'))
    showPreview(ctx, services, await services.lists.draft(person, messageCause(ctx), list))
  })

/**
 * The caption. A size is for the numbers without one. A network is a heading above the list, whose lines are then one
 * further down than the file's rows; other words are ignored.
 */
const withCaption = (text: string, caption: string, fixedBundleId: number | null): NewList => {
  const { kind, size, network } = bare(caption)
  if (kind === 'comment') return { text, fixedBundleId }
  if (size && !network && kind !== 'pairs' && fixedBundleId === null) {
    const questions = { size: writtenSize(size.size) }
    return { text, fixedBundleId, answers: { ...noAnswers, questions } }
  }
  return { text: `${caption}\n${text}`, fixedBundleId }
}
