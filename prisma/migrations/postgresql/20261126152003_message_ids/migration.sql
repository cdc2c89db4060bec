-- AlterTable
ALTER TABLE "Purchase" ALTER COLUMN "cardMessageId" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "Unanswered" ALTER COLUMN "messageId" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "Alarm" ALTER COLUMN "messageId" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "Warning" DROP CONSTRAINT "Warning_pkey",
ALTER COLUMN "messageId" SET DATA TYPE BIGINT,
ADD CONSTRAINT "Warning_pkey" PRIMARY KEY ("chatId", "messageId");

-- AlterTable
ALTER TABLE "Follow" ALTER COLUMN "messageId" SET DATA TYPE BIGINT;
