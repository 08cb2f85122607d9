"""Every text of our own that a user can see, in each language, and the plain phrases that CONTEXT answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class SmallTalk(StrEnum):
    """Kinds of message that need no service and no knowledge."""

    GREETING = "greeting"
    FAREWELL = "farewell"
    THANKS = "thanks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """The texts of one language."""

    small_talk: Mapping[SmallTalk, str]
    out_of_scope: str
    technical_error: str


REPLIES: Mapping[str, Replies] = {
    "et": Replies(
        small_talk={
            SmallTalk.GREETING: "Tere! Kuidas saan aidata?",
            SmallTalk.FAREWELL: "Head aega! Tulge julgelt tagasi, kui tekib küsimusi.",
            SmallTalk.THANKS: "Palun! Kui tekib veel küsimusi, aitan hea meelega.",
        },
        out_of_scope="Vabandust, sellele küsimusele ma vastata ei oska. Palun sõnastage küsimus teisiti või küsige "
        "midagi muud.",
        technical_error="Vabandust, tekkis tehniline viga. Palun proovige mõne aja pärast uuesti.",
    ),
    "en": Replies(
        small_talk={
            SmallTalk.GREETING: "Hello! How can I help you?",
            SmallTalk.FAREWELL: "Goodbye! Come back any time you have questions.",
            SmallTalk.THANKS: "You're welcome! I'm happy to help with anything else.",
        },
        out_of_scope="Sorry, I can't answer this question. Please try to put it another way, or ask me something else.",
        technical_error="Sorry, something went wrong on our side. Please try again in a little while.",
    ),
    "ru": Replies(
        small_talk={
            SmallTalk.GREETING: "Здравствуйте! Чем я могу помочь?",
            SmallTalk.FAREWELL: "До свидания! Возвращайтесь, если появятся вопросы.",
            SmallTalk.THANKS: "Пожалуйста! Буду рад помочь с другими вопросами.",
        },
        out_of_scope="Извините, на этот вопрос я ответить не могу. Попробуйте сформулировать его иначе или спросите "
        "о чём-нибудь другом.",
        technical_error="Извините, произошла техническая ошибка. Пожалуйста, попробуйте немного позже.",
    ),
}

PHRASES: Mapping[str, Mapping[SmallTalk, tuple[str, ...]]] = {
    "et": {
        SmallTalk.GREETING: (
            "tere", "tere hommikust", "tere päevast", "tere õhtust", "tere tulemast", "tervist", "tervitus", "hei",
            "hommikust", "päevast", "õhtust", "tsau", "tšau", "moi", "terekest", "tervitused", "halloo",
        ),
        SmallTalk.FAREWELL: (
            "head aega", "nägemist", "nägemiseni", "kohtumiseni", "head päeva", "head õhtut", "nägudeni", "head ööd",
            "hüvasti", "kõike head", "ilusat päeva", "ilusat õhtut", "kena päeva", "head nädalavahetust",
        ),
        SmallTalk.THANKS: (
            "aitäh", "aitähh", "aitähhh", "aitüma", "tänan", "tänud", "tänu", "suur aitäh", "suur tänu", "suured tänud",
            "tänan abi eest", "aitäh abi eest", "suur tänu abi eest", "suur aitäh abi eest", "aitäh vastuse eest",
            "tänan vastuse eest", "aitäh sulle", "aitäh teile", "tänan sind", "tänan teid", "suur aitäh teile",
            "suur tänu teile", "tänud teile",
        ),
    },
    "en": {
        SmallTalk.GREETING: (
            "hello", "hi", "hey", "hello there", "hi there", "good morning", "good afternoon", "good evening",
            "good day", "greetings",
        ),
        SmallTalk.FAREWELL: (
            "bye", "bye bye", "goodbye", "good bye", "see you", "see you later", "see ya", "good night",
            "have a nice day", "have a good day", "have a great day", "farewell", "take care",
        ),
        SmallTalk.THANKS: (
            "thanks", "thank you", "thank you very much", "thanks a lot", "many thanks", "thx", "thank you so much",
            "cheers", "thanks for your help", "thank you for your help", "thanks for the help",
            "thank you for the help", "thank you so much for the help", "thank you so much for your help",
            "thanks a lot for your help", "thank you very much for your help", "thanks so much", "thanks a million",
            "thank you for everything", "ty", "much appreciated",
        ),
    },
    "ru": {
        SmallTalk.GREETING: (
            "привет", "здравствуйте", "здравствуй", "добрый день", "доброе утро", "добрый вечер", "приветствую",
            "доброго дня", "приветик", "хай",
        ),
        SmallTalk.FAREWELL: (
            "пока", "пока пока", "до свидания", "всего доброго", "всего хорошего", "до встречи", "хорошего дня",
            "хорошего вечера", "хороших выходных", "спокойной ночи", "доброй ночи", "прощай", "прощайте",
        ),
        SmallTalk.THANKS: (
            "спасибо", "большое спасибо", "спасибо большое", "благодарю", "спасибо за помощь", "огромное спасибо",
            "благодарю вас", "спасибо вам", "спс", "спасибки", "спасибо огромное", "спасибо тебе",
            "большое спасибо за помощь", "спасибо большое за помощь", "спасибо за ответ",
        ),
    },
}  # fmt: skip

FILLERS: tuple[str, ...] = (
    "ok", "okei", "ja", "väga", "siis", "selge", "hästi", "see oli kõik", "see on kõik", "rohkem ei ole vaja",
    "okay", "and", "then", "great", "that's all", "that is all", "that was all", "that will be all",
    "ок", "окей", "и", "ну", "хорошо", "понятно", "очень", "это все", "это всё", "всё", "все",
)  # fmt: skip
"""What may stand before, between or after the phrases and says nothing on its own."""
