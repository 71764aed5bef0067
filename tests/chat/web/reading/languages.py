"""The same short page in thirty languages and encodings, as they are met on the web."""

from dataclasses import dataclass

WESTERN = {
    "German": (
        "Die Größe der Brücke überrascht auch jene, die täglich über den Fluß "
        "gehen; sie wurde früher für möglich gehalten."
    ),
    "French": (
        "L’été dernier, la façade du théâtre a été nettoyée à l’eau, et où que "
        "l’on regarde, c’était déjà très différent."
    ),
    "Spanish": (
        "El niño comió una manzana en la montaña mañana por la tarde, según "
        "contó su tío en la reunión del año pasado."
    ),
    "Portuguese": (
        "A informação não está disponível na versão em português, mas a "
        "população já conhece as condições da região."
    ),
    "Swedish": (
        "På sjön låg en båt för två månader sedan, och människorna där frågade "
        "när någon äntligen skulle hämta den."
    ),
}
TEXTS = {
    **WESTERN,
    "Polish": (
        "Zażółć gęślą jaźń, powiedział nauczyciel, a później wszyscy uczniowie "
        "zaczęli pisać długie zdania o życiu w mieście."
    ),
    "Czech": (
        "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl učitel, a potom všichni "
        "žáci začali psát dlouhé věty o životě ve městě."
    ),
    "Hungarian": (
        "A tervezőgép őrült gyorsan működött, és a gyűjtő később hosszú "
        "mondatokat írt a városi életről az iskolában."
    ),
    "Russian": (
        "Широкая электрификация южных губерний даст мощный толчок подъёму "
        "сельского хозяйства, сказал вчера министр."
    ),
    "Ukrainian": (
        "Їжак їсть свіжі яблука у своєму саду, а його сім’я живе поблизу "
        "великого міста, де є багато цікавих людей."
    ),
    "Bulgarian": (
        "Жълтата дюля беше щастлива, че пухът, който цъфна, замръзна като "
        "гьон, каза вчера учителят пред децата."
    ),
    "Greek": (
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο δάσκαλος, και ύστερα όλα τα "
        "παιδιά άρχισαν να γράφουν στο σχολείο."
    ),
    "Turkish": (
        "Pijamalı hasta yağız şoföre çabucak güvendi, dedi öğretmen, ve sonra "
        "bütün öğrenciler uzun cümleler yazmaya başladı."
    ),
    "Hebrew": (
        "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה, אמר המורה, ואחר כך כל "
        "התלמידים התחילו לכתוב משפטים ארוכים על החיים בעיר."
    ),
    "Arabic": (
        "قال المعلم إن الطلاب بدأوا يكتبون جملا طويلة عن الحياة في المدينة "
        "الكبيرة بعد أن انتهت العطلة الصيفية الماضية."
    ),
    "Latvian": (
        "Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus, teica "
        "skolotājs, un pēc tam visi bērni sāka rakstīt."
    ),
    "Vietnamese": "Nước Việt Nam có nhiều thành phố lớn và đẹp.",
    "Thai": (
        "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน "
        "จงฝ่าฟันพัฒนาวิชาการ อย่าล้างผลาญฤๅเข่นฆ่าบีฑาใคร"
    ),
    "Japanese": (
        "日本語の文章はひらがなとカタカナと漢字で書かれています。"
        "昨日、先生は生徒たちに長い作文を書くように言いました。"
    ),
    "Chinese, simplified": (
        "昨天老师告诉学生们写一篇关于城市生活的长文章，"
        "他们很高兴地开始写作，因为这个题目非常有意思。"
    ),
    "Chinese, traditional": (
        "昨天老師告訴學生們寫一篇關於城市生活的長文章，"
        "他們很高興地開始寫作，因為這個題目非常有意思。"
    ),
    "Korean": (
        "어제 선생님은 학생들에게 도시 생활에 관한 긴 글을 쓰"
        "라고 말했고 학생들은 기쁘게 글을 쓰기 시작했습니다."
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the label its page declares, and Python's codec that writes it."""

    language: str
    label: str
    codec: str

    @property
    def text(self) -> str:
        return TEXTS[self.language]

    def page(self, declaration: str = "") -> bytes:
        html = f"<html><head>{declaration}<title>t</title></head><body><p>{self.text}"
        return html.encode(self.codec)


CASES = [
    *(Case(language, "windows-1252", "cp1252") for language in WESTERN),
    Case("Polish", "windows-1250", "cp1250"),
    Case("Polish", "iso-8859-2", "iso8859_2"),
    Case("Czech", "windows-1250", "cp1250"),
    Case("Hungarian", "iso-8859-2", "iso8859_2"),
    Case("Russian", "windows-1251", "cp1251"),
    Case("Russian", "koi8-r", "koi8_r"),
    Case("Ukrainian", "windows-1251", "cp1251"),
    Case("Bulgarian", "windows-1251", "cp1251"),
    Case("Greek", "windows-1253", "cp1253"),
    Case("Turkish", "windows-1254", "cp1254"),
    Case("Hebrew", "windows-1255", "cp1255"),
    Case("Arabic", "windows-1256", "cp1256"),
    Case("Latvian", "windows-1257", "cp1257"),
    Case("Thai", "tis-620", "cp874"),
    Case("Japanese", "shift_jis", "cp932"),
    Case("Japanese", "euc-jp", "euc_jp"),
    Case("Japanese", "iso-2022-jp", "iso2022_jp"),
    Case("Chinese, simplified", "gb2312", "gb18030"),
    Case("Chinese, simplified", "gbk", "gbk"),
    Case("Chinese, traditional", "big5", "big5hkscs"),
    Case("Korean", "euc-kr", "cp949"),
    Case("Vietnamese", "utf-8", "utf-8"),
    Case("Russian", "utf-8", "utf-8-sig"),
    Case("German", "utf-16le", "utf-16-le"),
    Case("Greek", "utf-16", "utf-16"),
]
