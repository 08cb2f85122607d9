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
            "head aega", "nägemist", "nägemiseni", "kohtumiseni", "head päeva", "head õhtut", "nägudeni",
        ),
        SmallTalk.THANKS: (
            "aitäh", "aitähh", "aitähhh", "aitüma", "tänan", "tänan väga", "tänud", "suur aitäh", "suured tänud",
            "tänan abi eest", "aitäh abi eest", "aitäh sulle", "tänan teid", "tänu",
        ),
    },
    "en": {
        SmallTalk.GREETING: (
            "hello", "hi", "hey", "hello there", "hi there", "good morning", "good afternoon", "good evening",
            "good day", "greetings",
        ),
        SmallTalk.FAREWELL: (
            "bye", "bye bye", "goodbye", "good bye", "see you", "see you later", "good night", "have a nice day",
        ),
        SmallTalk.THANKS: (
            "thanks", "thank you", "thank you very much", "thanks a lot", "many thanks", "thx", "thank you so much",
            "cheers", "thanks for your help", "thank you for your help",
            "thanks for the help", "thank you for the help",
        ),
    },
    "ru": {
        SmallTalk.GREETING: (
            "привет", "здравствуйте", "здравствуй", "добрый день", "доброе утро", "добрый вечер", "приветствую",
            "доброго дня", "приветик", "хай",
        ),
        SmallTalk.FAREWELL: (
            "пока", "до свидания", "всего доброго", "до встречи", "хорошего дня", "спокойной ночи", "прощай",
        ),
        SmallTalk.THANKS: (
            "спасибо", "большое спасибо", "спасибо большое", "благодарю", "спасибо за помощь", "огромное спасибо",
            "благодарю вас", "спасибо вам",
        ),
    },
}  # fmt: skip
