import { type Api, InputFile, InputMediaBuilder } from 'grammy'
import type { Pacer } from '../../messaging/pacer.ts'
import { acting, type ChatAction } from './chat-action.ts'
import {
  type Button,
  keyboardOf,
  markupOf,
  plainText,
  type Screen,
  unbroken,
  withoutTimes,
} from './screen.ts'
import { refusalOf, type TelegramRefusal } from './telegram-refusal.ts'

/** The message id of a screen that was sent or edited, or why Telegram refused it. */
export type Sent = { kind: 'sent'; messageId: number } | { kind: 'failed'; refusal: TelegramRefusal }

/** A document for a person to keep. */
export interface FileToSend {
  name: string
  /** The file's text or bytes, or the path of a file of ours, which is read as it is sent. */
  content: string | Uint8Array | { path: string }
  /** In Telegram's HTML. */
  caption: string
  rows?: Button[][]
  /** Called when the file was sent, or could not be sent. */
  after?: () => void
}

/** A picture. Its caption says in words what it shows, in at most 1,024 characters without markup. */
export interface Photo extends Screen {
  png: Uint8Array
}

/** Sends screens to chats at the pace that Telegram allows. */
export interface Sender {
  send(chatId: number, screen: Screen): Promise<Sent>
  /** Edits a message, or sends a new one if that message cannot be edited. */
  edit(chatId: number, messageId: number, screen: Screen): Promise<Sent>
  /** Edits a message if it is still there, and never sends a new one. */
  amend(chatId: number, messageId: number, screen: Screen): Promise<Sent>
  sendFile(chatId: number, file: FileToSend): Promise<Sent>
  sendPhoto(chatId: number, photo: Photo): Promise<Sent>
  /** Replaces the picture of a message. If the message cannot be edited, sends a new one. */
  editPhoto(chatId: number, messageId: number, photo: Photo): Promise<Sent>
  /** Sends two to ten pictures as one album with one caption. */
  sendAlbum(chatId: number, pictures: readonly Uint8Array[], caption: string): Promise<Sent>
  remove(chatId: number, messageId: number): Promise<Sent>
  /** Changes the buttons below a message; its text stays. */
  putButtons(chatId: number, messageId: number, rows: Button[][]): Promise<Sent>
  /** Shows a chat action, if the pace leaves room for it. It never fails. */
  act(chatId: number, action: ChatAction): Promise<void>
}

/** How a text is sent: with all its markup, without time tags (which older servers refuse), or without any markup. */
type Form = 'html' | 'timeless' | 'plain'

/**
 * The most times a reply is tried. It is retried here because a person is waiting for it and the outbox does not retry
 * it.
 */
const maxTries = 3

/**
 * Sends again if Telegram did not answer or asked to wait. The pacer delays the next try by the wait that Telegram
 * asked for.
 */
export const sendWithRetries = async (send: () => Promise<Sent>): Promise<Sent> => {
  for (let tries = 1; ; tries += 1) {
    const sent = await send()
    const passing =
      sent.kind === 'failed' && (sent.refusal.kind === 'flood' || sent.refusal.kind === 'unknown')
    if (!passing || tries === maxTries) return sent
  }
}

/** A sender of one priority. It returns refusals and does not throw them. @param now the clock of the pacer, ms. */
export const createSender = (api: Api, pacer: Pacer, now: () => number = Date.now): Sender => {
  let takesTimes = true

  /**
   * Makes one call. If Telegram says that we send too fast, all senders that share the pacer slow down. @param messages
   * how many messages the call sends.
   */
  const call = async (
    chatId: number,
    messageId: number,
    make: () => Promise<number>,
    messages = 1,
  ): Promise<Sent> => {
    for (let turns = 0; turns < messages; turns += 1) await pacer.slot(chatId)
    try {
      return { kind: 'sent', messageId: await make() }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.kind === 'not_modified') return { kind: 'sent', messageId }
      if (refusal.kind === 'flood') pacer.block(chatId, now() + refusal.retryAfterMs)
      return { kind: 'failed', refusal }
    }
  }

  /** Sends something new instead of editing a message. @param messages how many messages are sent. */
  const sendNew = (chatId: number, make: () => Promise<number>, messages = 1): Promise<Sent> =>
    call(chatId, 0, make, messages)

  /** Sends with markup if Telegram accepts it, otherwise as plain text. */
  const readable = async (
    { text }: Screen,
    attempt: (form: Form) => Promise<Sent>,
    most = maxCharacters,
  ): Promise<Sent> => {
    if (plainText(text).length > most) return attempt('plain')
    const sent = await attempt(takesTimes ? 'html' : 'timeless')
    if (!isBadMarkup(sent)) return sent
    if (takesTimes && withoutTimes(text) !== text) {
      const timeless = await attempt('timeless')
      takesTimes = isBadMarkup(timeless)
      if (!takesTimes) return timeless
    }
    return attempt('plain')
  }

  const optionsOf = (form: Form) => ({
    ...(form !== 'plain' && { parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
  })

  const newOptionsOf = (screen: Screen) => ({
    reply_markup: markupOf(screen),
    ...(screen.threadId !== undefined && { message_thread_id: screen.threadId }),
    ...(screen.silent && { disable_notification: true }),
    ...(screen.replyTo && {
      reply_parameters: { message_id: screen.replyTo, allow_sending_without_reply: true },
    }),
  })

  const captionOf = (text: string, form: Form) => ({
    caption: inForm(text, form, maxOfCaption),
    ...(form !== 'plain' && { parse_mode: 'HTML' as const }),
  })

  const putPhoto = (screen: Screen, attempt: (form: Form) => Promise<Sent>): Promise<Sent> =>
    readable(screen, attempt, maxOfCaption)

  /** @param picture the file, or Telegram's id of a picture. */
  const sendPicture = (chatId: number, screen: Screen, picture: InputFile | string): Promise<Sent> =>
    putPhoto(screen, (form) =>
      sendNew(chatId, async () => {
        const message = await api.sendPhoto(chatId, picture, {
          ...captionOf(screen.text, form),
          ...newOptionsOf(screen),
        })
        return message.message_id
      }),
    )

  const sendPhoto: Sender['sendPhoto'] = (chatId, photo) => sendPicture(chatId, photo, fileOf(photo.png))

  const sendOnce: Sender['send'] = (chatId, screen) =>
    readable(screen, (form) =>
      sendNew(chatId, async () => {
        const message = await api.sendMessage(chatId, inForm(screen.text, form), {
          ...optionsOf(form),
          ...newOptionsOf(screen),
        })
        return message.message_id
      }),
    )

  const send: Sender['send'] = async (chatId, { photoId, ...screen }) => {
    const picture = photoId === undefined ? null : await sendPicture(chatId, screen, photoId)
    if (picture && !isRefused(picture)) return picture
    const sent = await sendOnce(chatId, screen)
    if (screen.threadId === undefined || !isRefused(sent)) return sent
    const { threadId: _, ...anywhere } = screen
    return sendOnce(chatId, anywhere)
  }

  const sendFile: Sender['sendFile'] = (chatId, { name, content, caption, rows = [] }) =>
    readable(
      { text: caption },
      (form) =>
        sendNew(chatId, () =>
          acting(
            () => act(chatId, 'upload_document'),
            async () => {
              const document = new InputFile(sourceOf(content), name)
              const message = await api.sendDocument(chatId, document, {
                ...captionOf(caption, form),
                reply_markup: keyboardOf({ text: '', rows }),
              })
              return message.message_id
            },
          ),
        ),
      maxOfCaption,
    )

  const sendAlbum: Sender['sendAlbum'] = (chatId, pictures, caption) =>
    readable(
      { text: caption },
      (form) => {
        const media = pictures.map((png, index) =>
          InputMediaBuilder.photo(fileOf(png), index === 0 ? captionOf(caption, form) : {}),
        )
        const make = async () => (await api.sendMediaGroup(chatId, media))[0]?.message_id ?? 0
        return sendNew(chatId, make, pictures.length)
      },
      maxOfCaption,
    )

  const act: Sender['act'] = async (chatId, action) => {
    try {
      if (await pacer.spare(chatId)) await api.sendChatAction(chatId, action)
    } catch {
      // A missing chat action does no harm, and the message itself reports the same trouble.
    }
  }

  const amend: Sender['amend'] = (chatId, messageId, screen) =>
    readable(screen, (form) =>
      call(chatId, messageId, async () => {
        const options = { ...optionsOf(form), reply_markup: keyboardOf(screen) }
        await api.editMessageText(chatId, messageId, inForm(screen.text, form), options)
        return messageId
      }),
    )

  return {
    send,
    amend,
    sendFile,
    sendPhoto,
    sendAlbum,
    act,
    edit: async (chatId, messageId, screen) => {
      const edited = await amend(chatId, messageId, screen)
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? send(chatId, screen) : edited
    },
    editPhoto: async (chatId, messageId, photo) => {
      const edited = await putPhoto(photo, (form) =>
        call(chatId, messageId, async () => {
          const media = InputMediaBuilder.photo(fileOf(photo.png), captionOf(photo.text, form))
          await api.editMessageMedia(chatId, messageId, media, {
            reply_markup: keyboardOf(photo),
          })
          return messageId
        }),
      )
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? sendPhoto(chatId, photo) : edited
    },
    putButtons: (chatId, messageId, rows) =>
      call(chatId, messageId, async () => {
        await api.editMessageReplyMarkup(chatId, messageId, {
          reply_markup: keyboardOf({ text: '', rows }),
        })
        return messageId
      }),
    remove: (chatId, messageId) =>
      call(chatId, messageId, async () => {
        await api.deleteMessage(chatId, messageId)
        return messageId
      }),
  }
}

const isRefused = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'refused'

const isBadMarkup = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'bad_markup'

/**
 * Telegram accepts 4,096 characters, not counting markup. Our own texts are shorter, so this only guards against text
 * from outside.
 */
const maxCharacters = 4096
/** How many characters Telegram accepts in a caption, not counting markup. */
const maxOfCaption = 1024

const shortened = (text: string, most = maxCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

const sourceOf = (content: FileToSend['content']): Uint8Array | string => {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : content.path
}

const inForm = (written: string, form: Form, most = maxCharacters): string => {
  const text = unbroken(written)
  switch (form) {
    case 'html':
      return text
    case 'timeless':
      return withoutTimes(text)
    case 'plain':
      return shortened(plainText(text), most)
  }
}

const fileOf = (png: Uint8Array): InputFile => new InputFile(png, 'picture.png')
