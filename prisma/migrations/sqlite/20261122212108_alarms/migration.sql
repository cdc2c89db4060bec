-- CreateTable
CREATE TABLE "Alarm" (
    "chatId" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "messageId" INTEGER NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("chatId", "name")
);
