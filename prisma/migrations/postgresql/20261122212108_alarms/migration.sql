-- CreateTable
CREATE TABLE "Alarm" (
    "chatId" BIGINT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "messageId" INTEGER NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Alarm_pkey" PRIMARY KEY ("chatId","name")
);
