import type { Contact } from 'grammy/types'
import type { ButtonPress } from '../buttons/table.ts'
import type { Question } from '../chat/context.ts'
import type { Handler } from '../chat/handler.ts'

/**
 * One feature of the bot, with everything that it handles. `features.ts` lists all features; `routes.ts` and
 * `messages.ts` offer updates to them in turn.
 */
export interface Feature {
  /** The feature's commands, by name without the slash. */
  commands?: Readonly<Record<string, Command>>
  /** The handlers of the feature's buttons, by their word in the table of `buttons/table.ts`. */
  presses?: Partial<PressHandlers>
  /** The handlers of answers to the feature's questions, by the name of the question in `chat/context.ts`. */
  questions?: Partial<AnswerHandlers>
  /** Handlers for texts that answer no question. Each returns true if it took the text. */
  texts?: Partial<Record<TextKind, TextReader>>
  /** The handlers of links to the bot (`?start=s…`), by the first letter of their payload. */
  links?: Readonly<Record<string, Handler<string>>>
  /** The commands and buttons that also work in groups. */
  groups?: { commands: readonly string[]; presses: readonly ButtonPress['do'][] }
  /** Takes a message before all other handlers, even before commands. @returns true if it took the message. */
  first?: Handler<void, boolean>
  /** Takes replies to the feature's own messages, whatever question is pending. */
  replies?: Replies
  /** Takes a shared contact that answers no question. */
  contact?: Handler<Contact>
  /** Takes a file or a picture that answers no question. @returns true if it took the file. */
  file?: Handler<Question | null, boolean>
  /** Reads a message that was edited. */
  edited?: Handler
}

/** A command in private chats. */
export interface Command {
  /** Receives the trimmed text after the command. */
  run: Handler<string>
  /** Whether the handler itself decides what happens to the pending question. All other commands end it. */
  keepsQuestion?: true
  /**
   * Whether the command only shows something. Then a word for it (such as “balance”) works even while the bot asks for
   * a number, and the question stays open.
   */
  onlyShows?: true
}

/** The handler of each button. */
export type PressHandlers = { [Do in ButtonPress['do']]: Handler<Extract<ButtonPress, { do: Do }>> }

/** The handlers of the answers to each question. */
export type AnswerHandlers = {
  [What in Question['what']]: Answers<Extract<Question, { what: What }>>
}

/**
 * The handlers of the answers to one question. If it has neither `text` nor `rewritten`, the answer goes to the
 * features' `texts`, like any other text.
 */
export interface Answers<Asked extends Question = Question> {
  /**
   * Set if the question asks for an API key or secret. Then every text is an answer, and these handlers refuse other
   * messages.
   */
  secret?: { forwarded: Handler; file: Handler }
  /** Whether the text is not an answer but a message of its own, for which the question stays open. */
  staysFor?(text: string): boolean
  /** Whether the text is not an answer but a message of its own, which ends the question. */
  endsFor?(text: string, question: Asked): boolean
  /**
   * Set if the person may answer later. A word for a command then works in between; this text is sent first, to say
   * that the question is still open.
   */
  stillAsked?: string
  /** Takes the answer. The question stays open until this handler ends it. */
  text?: Handler<Answer<Asked>>
  /**
   * Rewrites the answer as a text that can be read on its own; null if it is not an answer, which the person was told.
   */
  rewritten?: Handler<Answer<Asked>, string | null>
  /** Whether the number of a shared contact can be an answer. */
  takesNumber?(number: string, question: Asked): boolean
  /** Whether a forwarded text can be an answer. If not, it is read as if no question were open. */
  takesForwarded?(question: Asked): boolean
  /** Takes a file as the answer. @returns false if the file is not an answer. */
  file?: Handler<Asked, boolean>
}

/** An answer to a question: a text, or the number of a contact. */
export interface Answer<Asked extends Question> {
  question: Asked
  text: string
}

/**
 * The kinds of texts that can be read on their own, in the order in which they are tried. The first that matches takes
 * the text.
 */
export const textKinds = [
  /** An order's reference and nothing else. */
  'reference',
  /** `Fridays 18:00: MTN 5GB for Ama`. */
  'reminder',
  /** Lines that correct a list. */
  'correction',
  /** `2x10gb`: several orders of one size, without their numbers. */
  'several_orders',
  'list',
  /** A number, with or without a size. */
  'order',
  /** `Kofi 5gb`. */
  'order_by_name',
  /** The name of a saved number. */
  'name',
  /** `Kofi 0241234567`: a name and its number. */
  'named_number',
  /** A text with a reference in it, such as a forwarded receipt. */
  'reference_within',
  /** An order from a person who has no account. */
  'order_of_stranger',
] as const

export type TextKind = (typeof textKinds)[number]

/** Takes a text if it is of the reader's kind. @returns true if it took the text. */
export type TextReader = Handler<{ text: string; question: Question | null }, boolean>

/** Handlers of replies to the feature's own messages. Each returns true if it took the reply. */
export interface Replies {
  text: Handler<{ text: string; question: Question | null }, boolean>
  /** Takes a picture, a voice message and the like. */
  media: Handler<Question | null, boolean>
  /** Answers a message that was taken before and is delivered again. */
  again: Handler<void, boolean>
}
