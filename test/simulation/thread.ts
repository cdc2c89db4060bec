import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Noticed, noticed } from './mutations.ts'
import { type Result, type Run, simulate } from './simulation.ts'

/** A thread's task, one at a time: a run, or the search for the first seed that notices a missing safeguard. */
export type Question = { kind: 'run'; run: Run } | { kind: 'notice'; safeguard: string; judgedAlone: boolean }

/** A thread that runs simulations. */
export interface Thread {
  simulate(run: Run): Promise<Result>
  notice(safeguard: string, judgedAlone: boolean): Promise<Noticed | null>
}

const thisThread: Thread = { simulate, notice: noticed }

const threadOf = (worker: Worker): Thread => {
  /** Rejects if the thread dies. */
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    worker.postMessage(question)
    const [answer] = await once(worker, 'message')
    return answer
  }
  return {
    simulate: (run) => ask({ kind: 'run', run }),
    notice: (safeguard, judgedAlone) => ask({ kind: 'notice', safeguard, judgedAlone }),
  }
}

/**
 * Divides jobs among the threads. Each thread takes the next job when it has finished one.
 * @param nextJob returns null if there are no more.
 */
export const shareOut = async <Job>(
  count: number,
  nextJob: () => Job | null,
  work: (thread: Thread, job: Job) => Promise<void>,
): Promise<void> => {
  const workers = count === 1 ? [] : Array.from({ length: count }, startWorker)
  const threads = count === 1 ? [thisThread] : workers.map(threadOf)
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (let job = nextJob(); job !== null; job = nextJob()) await work(thread, job)
      }),
    )
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

const startWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url))
