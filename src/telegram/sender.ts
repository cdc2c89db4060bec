import { type Api, InputFile, InputMediaBuilder } from 'grammy'
import type { Pacer } from '../relay/pacer.ts'
import { acting } from './chat-action.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import { keyboardOf, plainText, type Screen } from './screen.ts'

/** Where a screen stands after it was sent or edited. */
export type Sent = { kind: 'sent'; messageId: number } | { kind: 'failed'; refusal: Refusal }

/** A document for a person to keep. */
export interface FileToSend {
  name: string
  /** Its text, or where a file of ours stands that is read as it is sent. */
  content: string | { path: string }
  /** Telegram's HTML. */
  caption: string
  /** Called when it was sent, or could not be. */
  after?: () => void
}

/** A picture whose caption says in words what it shows, in at most 1,024 characters without their markup. */
export interface Photo extends Screen {
  png: Uint8Array
}

/** Puts screens into chats, at the pace that Telegram allows. */
export interface Sender {
  send(chatId: number, screen: Screen): Promise<Sent>
  /** Edits a message; one that cannot be edited is sent anew. */
  edit(chatId: number, messageId: number, screen: Screen): Promise<Sent>
  sendFile(chatId: number, file: FileToSend): Promise<Sent>
  sendPhoto(chatId: number, photo: Photo): Promise<Sent>
  /** Puts another picture into a message with one; where that cannot be edited it is sent anew. */
  editPhoto(chatId: number, messageId: number, photo: Photo): Promise<Sent>
  remove(chatId: number, messageId: number): Promise<Sent>
}

/** A reply is tried this often: the person waits for it now, and nobody owes it to them later. */
const mostTries = 3

/** Tries again what Telegram put off (the pacer waits for its time) or left unanswered. */
export const persistently = async (send: () => Promise<Sent>): Promise<Sent> => {
  for (let tries = 1; ; tries += 1) {
    const sent = await send()
    const passing =
      sent.kind === 'failed' && (sent.refusal.kind === 'flood' || sent.refusal.kind === 'unknown')
    if (!passing || tries === mostTries) return sent
  }
}

export const createSender = (api: Api, pacer: Pacer, now: () => number = Date.now): Sender => {
  /** One call; markup that Telegram cannot read is sent as plain text, a flood is remembered for all. */
  const call = async (chatId: number, messageId: number, make: () => Promise<number>): Promise<Sent> => {
    await pacer.turn(chatId)
    try {
      return { kind: 'sent', messageId: await make() }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.kind === 'not_modified') return { kind: 'sent', messageId }
      if (refusal.kind === 'flood') pacer.hold(chatId, now() + refusal.retryAfterMs)
      return { kind: 'failed', refusal }
    }
  }

  /** With its markup where Telegram takes it, else plain. */
  const readable = async (
    { text }: Screen,
    attempt: (html: boolean) => Promise<Sent>,
    most = mostCharacters,
  ): Promise<Sent> => {
    if (plainText(text).length > most) return attempt(false)
    const sent = await attempt(true)
    return sent.kind === 'failed' && sent.refusal.kind === 'bad_markup' ? attempt(false) : sent
  }

  const optionsOf = (screen: Screen, html: boolean) => ({
    ...(html && { parse_mode: 'HTML' as const }),
    reply_markup: keyboardOf(screen),
    link_preview_options: { is_disabled: true },
  })

  const textOf = (screen: Screen, html: boolean) => (html ? screen.text : shortened(plainText(screen.text)))

  const captionOf = (photo: Photo, html: boolean) => ({
    caption: html ? photo.text : shortened(plainText(photo.text), mostOfCaption),
    ...(html && { parse_mode: 'HTML' as const }),
  })

  const putPhoto = (photo: Photo, attempt: (html: boolean) => Promise<Sent>): Promise<Sent> =>
    readable(photo, attempt, mostOfCaption)

  const sendPhoto: Sender['sendPhoto'] = (chatId, photo) =>
    putPhoto(photo, (html) =>
      call(chatId, 0, async () => {
        const message = await api.sendPhoto(chatId, fileOf(photo), {
          ...captionOf(photo, html),
          reply_markup: keyboardOf(photo),
        })
        return message.message_id
      }),
    )

  const send: Sender['send'] = (chatId, screen) =>
    readable(screen, (html) =>
      call(chatId, 0, async () => {
        const message = await api.sendMessage(chatId, textOf(screen, html), optionsOf(screen, html))
        return message.message_id
      }),
    )

  return {
    send,
    edit: async (chatId, messageId, screen) => {
      const edited = await readable(screen, (html) =>
        call(chatId, messageId, async () => {
          await api.editMessageText(chatId, messageId, textOf(screen, html), optionsOf(screen, html))
          return messageId
        }),
      )
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? send(chatId, screen) : edited
    },
    sendFile: (chatId, { name, content, caption }) =>
      call(chatId, 0, () =>
        acting(api, chatId, 'upload_document', async () => {
          const document = new InputFile(
            typeof content === 'string' ? Buffer.from(content) : content.path,
            name,
          )
          const message = await api.sendDocument(chatId, document, { caption, parse_mode: 'HTML' })
          return message.message_id
        }),
      ),
    sendPhoto,
    editPhoto: async (chatId, messageId, photo) => {
      const edited = await putPhoto(photo, (html) =>
        call(chatId, messageId, async () => {
          const media = InputMediaBuilder.photo(fileOf(photo), captionOf(photo, html))
          await api.editMessageMedia(chatId, messageId, media, {
            reply_markup: keyboardOf(photo),
          })
          return messageId
        }),
      )
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? sendPhoto(chatId, photo) : edited
    },
    remove: (chatId, messageId) =>
      call(chatId, messageId, async () => {
        await api.deleteMessage(chatId, messageId)
        return messageId
      }),
  }
}

/**
 * Telegram takes 4,096 characters, not counting markup; our own texts are shorter, so this only guards against
 * what comes from outside.
 */
const mostCharacters = 4096
/** Below a picture it takes fewer. */
const mostOfCaption = 1024

const shortened = (text: string, most = mostCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

const fileOf = ({ png }: Photo): InputFile => new InputFile(png, 'picture.png')
